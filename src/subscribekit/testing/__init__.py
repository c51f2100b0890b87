"""Tools for a merchant's own tests: a sandbox per test, random resources, mocked routes, recordings, no real network.

    def test_reverse(sandbox, billing_client):
        assert billing_client.payments.reverse("pay-cash-0001").status == "Failure"

This package is a pytest plugin, found by pytest as soon as it is installed. Its fixtures are in
`subscribekit.testing.plugin`; the names below are imported when they are first used, so a test run that uses none pays
nothing.
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
