"""Authenticates requests to the four APIs of the sandbox.

The specification defines the authentication scheme of each API. The specification also defines the statuses 401 and 403
of the billing API, and the error codes of the other APIs. The sandbox assumes that the billing API returns 401 for a
missing credential and 403 for a wrong credential.

The specification doesn't document the authentication of `campaigns.activate` (E5), so the sandbox accepts this
operation without a key. If a request for `campaigns.activate` contains a key, the key must be correct.
"""

from __future__ import annotations

import base64
import binascii
import hmac
from dataclasses import dataclass, fields
from http.cookies import CookieError, SimpleCookie

from ..._core.config.environments import Environment
from .responses import billing_refusal, coded_refusal, operation_refusal
from .wire import SandboxRequest


@dataclass(frozen=True, repr=False)
class Credentials:
    """The credentials that a sandbox accepts."""

    api_user: str
    api_key: str
    gateway_api_key: str
    session_id: str
    access_token: str


def credentials_of(environment: Environment) -> Credentials:
    """Return the credentials of an environment, or raise `ValueError` if the environment lacks a credential."""

    def reveal(name: str) -> str:
        secret = environment.credential(name, {})
        if secret is None:
            raise ValueError(f"the sandbox's environment has no {name}; set {name} in the Environment")
        return secret.reveal()

    return Credentials(*(reveal(field.name) for field in fields(Credentials)))


def authenticate(request: SandboxRequest, accepted: Credentials, *, keyless: bool) -> None:
    """Reject a request without the credentials of its API.

    If `keyless` is set, the request doesn't need the gateway's key (E5).
    """
    if request.group == "billing":
        _basic(request, accepted)
    elif request.group == "gateway":
        _api_key(request, accepted, keyless=keyless)
    elif request.group == "user_mgmt":
        _session(request, accepted)
    else:
        _bearer(request, accepted)


def _basic(request: SandboxRequest, accepted: Credentials) -> None:
    scheme, _, encoded = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() != "basic":
        raise billing_refusal(401, "The request could not be authenticated.")
    try:
        sent = base64.b64decode(encoded.strip(), validate=True)
    except (binascii.Error, ValueError):
        raise billing_refusal(401, "The request could not be authenticated.") from None
    if not hmac.compare_digest(sent, f"{accepted.api_user}:{accepted.api_key}".encode()):
        raise billing_refusal(403, "Authentication failed; check user name and password.")


def _api_key(request: SandboxRequest, accepted: Credentials, *, keyless: bool) -> None:
    sent = request.headers.get("x-api-key")
    if sent is None and keyless:
        return
    if sent is None or not _same(sent, accepted.gateway_api_key):
        raise coded_refusal("authentication-required", "missing or invalid credentials")


def _session(request: SandboxRequest, accepted: Credentials) -> None:
    cookies = SimpleCookie()
    try:
        cookies.load(request.headers.get("cookie", ""))
    except CookieError:
        cookies.clear()
    session = cookies.get("JSESSIONID")
    if session is None or not _same(session.value, accepted.session_id):
        raise operation_refusal(401, "authentication-required", "authentication is required")


def _bearer(request: SandboxRequest, accepted: Credentials) -> None:
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not _same(token.strip(), accepted.access_token):
        raise coded_refusal("authentication-required", "missing or invalid credentials")


def _same(sent: str, accepted: str) -> bool:
    return hmac.compare_digest(sent.encode(), accepted.encode())
