"""Makes sync and async calls to one sandbox in the same way."""

from __future__ import annotations

import asyncio
import inspect
from types import SimpleNamespace
from typing import Any, Literal, Self

from subscribekit.sandbox import Sandbox

Style = Literal["blocking", "async"]
STYLES: tuple[Style, ...] = ("blocking", "async")


class Shop:
    """The four sync clients, or the four async clients, of one sandbox.

    To get a result, call the shop with the return value of a method. The shop runs a coroutine, and reads a list to the
    end. The same story therefore works with sync and async clients.
    """

    def __init__(self, style: Style, sandbox: Sandbox | None = None) -> None:
        self.style = style
        self.sandbox = sandbox or Sandbox()
        prefix = "async_" if style == "async" else ""
        self.billing: Any = getattr(self.sandbox, f"{prefix}billing")()
        self.gateway: Any = getattr(self.sandbox, f"{prefix}gateway")()
        self.user_mgmt: Any = getattr(self.sandbox, f"{prefix}user_mgmt")()
        self.storefront: Any = getattr(self.sandbox, f"{prefix}storefront")()
        self._runner = asyncio.Runner() if style == "async" else None

    def __call__(self, given: Any) -> Any:
        if hasattr(given, "to_list"):
            given = given.to_list()
        assert inspect.isawaitable(given) == (self.style == "async"), "the call has the other style"
        return given if self._runner is None else self._runner.run(given)

    @property
    def raw(self) -> Any:
        """The same clients, with methods that return the whole response."""
        return SimpleNamespace(
            billing=self.billing.with_raw_response,
            gateway=self.gateway.with_raw_response,
            user_mgmt=self.user_mgmt.with_raw_response,
            storefront=self.storefront.with_raw_response,
        )

    def close(self) -> None:
        if self._runner is not None:
            self._runner.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
