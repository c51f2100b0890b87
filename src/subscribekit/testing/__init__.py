"""Tools for your tests: a sandbox for each test, random models, mocked routes, recordings, and a network guard.

    def test_reverse(sandbox, billing_client):
        assert billing_client.payments.reverse("pay-cash-0001").status == "Failure"

This package is a pytest plugin, which pytest finds as soon as the SDK is installed. `subscribekit.testing.plugin`
defines its fixtures. Python imports the names in this module only when a test uses them, so that the imports don't slow
down other test runs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._lazy import imported

if TYPE_CHECKING:
    from .factories import Factory, make, make_batch
    from .recordings import vcr_config
    from .routes import RespxRoutes, respx_routes

__all__ = ["Factory", "RespxRoutes", "make", "make_batch", "respx_routes", "vcr_config"]

pytest_plugins: tuple[str, ...] = ("subscribekit.testing.plugin",)

_MODULE_OF = {
    "Factory": "factories",
    "RespxRoutes": "routes",
    "make": "factories",
    "make_batch": "factories",
    "respx_routes": "routes",
    "vcr_config": "recordings",
}


def __getattr__(name: str) -> object:
    value = imported(__name__, _MODULE_OF, name)
    globals()[name] = value
    return value
