"""Cases: each is one call, the request that it must send, and the result that it must return.

If a case has `shows`, other tests use the case as a row of their tables. They use the rule for its response, the
verdicts of `client.resolve`, the call of the story, the body of the extreme requests, and the keyword arguments.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar
from unittest.mock import MagicMock

import subscribekit
from kit.calls import CREDENTIALS, URL, Group
from subscribekit import _json as json
from subscribekit._core.calls.prepared.prepare import prepared_call
from subscribekit._core.calls.prepared.prepared_request import PreparedRequest
from subscribekit._core.config.environments import SANDBOX_WIRE_NAMES
from subscribekit._core.operations.operation import Operation, Safety
from subscribekit.models._base import Model, write

T = TypeVar("T")
Gives = Model | list[Model] | None

MINE, SENT = "the id or vid of the path", "the id that was sent"
IF_MINE, IF_SENT = "the id or vid of the path, if it is shown", "the id that was sent, if it is shown"
IF_MY_ID = "the id of the path, if it is shown, and no vid"
CHILD, KIND, REFERENCE, NOTHING = "the child, and its parent if it is shown", "the object", "the reference", "nothing"
"""What a response must show. `RULES` in `test_identities.py` has the responses that each value accepts and rejects."""


@dataclass(frozen=True)
class Case:
    """One call of one operation.

    Attributes:
        name: The SDK's name of the operation.
        use: The function that makes the call. If the case has `shows`, `use` also takes the ID that the call names, and
            the default of this ID is in the sandbox's data.
        sends: The method and path of the request, as in the specification or the published reference.
        gives: The result of the call. The service returns it as its response: a list as a page, and `None` as an empty
            body.
        query: The query parameters, in order.
        body: The exact body of the request.
        safety: The safety class of the operation.
        key: The key that reconciles an unknown outcome.
        empty: Whether no source documents the response, so that an empty response is a success too.
        group: The API of the operation.
        shows: What the response must show, such as `MINE`, if `OPS` in `test_identities.py` has no row.
        verdicts: For a write, the verdicts of `client.resolve` on the sandbox if the service carried out the call, and
            if the call never arrived.
    """

    name: str
    use: Callable[..., Any]
    sends: str
    gives: Gives
    query: tuple[tuple[str, str], ...] = ()
    body: str | None = None
    safety: Safety = Safety.READ
    key: str | None = None
    empty: bool = False
    group: Group = "billing"
    shows: str | None = None
    verdicts: tuple[str, str] | None = None

    def __str__(self) -> str:
        return self.name + ("?" + "&".join(name for name, _ in self.query) if self.query else "")

    @property
    def method(self) -> str:
        return self.sends.partition(" ")[0]

    @property
    def path(self) -> str:
        return self.sends.partition(" ")[2]

    @property
    def answer(self) -> bytes:
        """The body of the service's response."""
        if self.gives is None:
            return b""
        if isinstance(self.gives, list):
            data = [_document(each) for each in self.gives]
            return json.encode(data if self.group == "user_mgmt" else {"object": "List", "data": data})
        return json.encode(_document(self.gives))

    @property
    def keywords(self) -> dict[str, Any]:
        """The keyword arguments of the call."""
        client = MagicMock()
        self.use(client)
        family, _, method = self.name.partition(".")
        resource = client.resource.return_value if family == "generic_resource" else getattr(client, family)
        found: dict[str, Any] = getattr(resource, method).call_args.kwargs
        return found

    def described(self) -> tuple[str, Operation[Any]]:
        """Return the SDK's name of the call, and its operation, which sends nothing."""
        with getattr(subscribekit, _CLIENTS[self.group])(
            base_url=URL[self.group], wire_names=SANDBOX_WIRE_NAMES, **CREDENTIALS[self.group]
        ) as client:
            request: PreparedRequest[Any] = self.use(client.prepare)
        prepared = prepared_call(request)
        assert prepared is not None
        return request.operation, prepared.operation


_CLIENTS: dict[Group, str] = {
    "billing": "BillingClient",
    "gateway": "GatewayClient",
    "user_mgmt": "UserMgmtClient",
    "storefront": "StorefrontClient",
}


def _document(model: Model) -> dict[str, object]:
    written = write(model)
    return {"object": getattr(model, "object", None), **written} if "object" in type(model).model_fields else written


PAGING = {"limit": 5, "starting_after": "cursor"}
PAGED = (("limit", "5"), ("starting_after", "cursor"))
