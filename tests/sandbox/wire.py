"""Sends requests to the sandbox without the SDK's clients."""

from __future__ import annotations

import base64
import gzip
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from subscribekit.sandbox import Sandbox, SandboxRequest

BASIC = "Basic " + base64.b64encode(b"sandbox-merchant:sandbox-key").decode()
CREDENTIALS: dict[str, dict[str, str]] = {
    "billing": {"authorization": BASIC},
    "gateway": {"x-api-key": "sandbox-gateway-key"},
    "user_mgmt": {"cookie": "JSESSIONID=sandbox-session", "content-type": "application/json"},
    "storefront": {"authorization": "Bearer sandbox-token"},
}
REST = "/platform/rest/v85"


@dataclass(frozen=True)
class Result:
    status: int
    headers: Mapping[str, str]
    body: Any


class Wire:
    """A caller with the credentials of every API."""

    def __init__(self, sandbox: Sandbox | None = None) -> None:
        self.sandbox = sandbox or Sandbox()

    def call(
        self,
        group: Any,
        method: str,
        path: str,
        query: Mapping[str, object] | Sequence[tuple[str, str]] = (),
        body: object = None,
        *,
        headers: Mapping[str, str] | None = None,
        credentials: bool = True,
    ) -> Result:
        pairs = [(key, str(value)) for key, value in (query.items() if isinstance(query, Mapping) else query)]
        sent = dict(CREDENTIALS[group] if credentials else {}) | dict(headers or {})
        raw = body if isinstance(body, bytes) else b"" if body is None else json.dumps(body).encode()
        answer = self.sandbox.handle(SandboxRequest(group, method, path, tuple(pairs), sent, raw))
        plain = gzip.decompress(answer.body) if answer.headers.get("Content-Encoding") == "gzip" else answer.body
        return Result(answer.status, answer.headers, json.loads(plain, parse_float=Decimal) if plain else None)

    def get(self, path: str, query: Mapping[str, object] | Sequence[tuple[str, str]] = (), **more: Any) -> Result:
        return self.call("billing", "GET", path, query, **more)

    def post(self, path: str, body: object = None, query: Mapping[str, object] = {}, **more: Any) -> Result:
        return self.call("billing", "POST", path, query, body, **more)

    def good(self, path: str, query: Mapping[str, object] = {}) -> Any:
        result = self.get(path, query)
        assert result.status == 200, result.body
        return result.body

    def made(self, path: str, body: object = None, query: Mapping[str, object] = {}) -> Any:
        result = self.post(path, body, query)
        assert result.status == 200, result.body
        return result.body
