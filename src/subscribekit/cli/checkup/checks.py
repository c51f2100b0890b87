"""The checks of `subscribekit doctor` for each API, from the configuration to a read."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TypeVar

from ..._core.config.address import Address, parse_address
from ..._core.config.environments import ADDRESS_FIELD, Environment, Group
from ..._core.lists.pager import RawPager
from ..._datetimes import http_date
from ...billing import BillingClient
from ...errors import APIError, AuthenticationError, ConfigurationError, NotFoundError, SubscribekitError
from ...gateway import GatewayClient
from ...models import Model
from ...storefront import StorefrontClient
from ...user_mgmt import UserMgmtClient
from ..clients import OPERATED, Client, Connection
from ..output.outcomes import Code, code_of, terminal_text
from ..output.screen import printable
from .probe import ProbeError, connect, resolve

M = TypeVar("M", bound=Model)
CREDENTIALS: dict[Group, tuple[str, ...]] = {
    "billing": ("api_user", "api_key"),
    "gateway": ("gateway_api_key",),
    "user_mgmt": ("session_id",),
    "storefront": ("access_token",),
}
_NOWHERE = "subscribekit-doctor"
"""An ID that doesn't exist. If the response is "not found", the service accepts the credential."""
_SECONDS = 20.0
_SKEW = timedelta(minutes=1)
_SOON = timedelta(days=14)


@dataclass(frozen=True)
class CheckResult:
    """The result of one check.

    Attributes:
        group: The API, or `environment`.
        check: The name of the check, such as `DNS`.
        good: Whether the check passed; `None` if the check was skipped.
        result: The result as text, such as `TLSv1.3`.
        remedy: The fix.
        code: The exit code of the command if only this check fails.
    """

    group: str
    check: str
    good: bool | None
    result: str
    remedy: str = ""
    code: Code = Code.DONE


def findings(connection: Connection) -> Iterator[CheckResult]:
    """Run all checks, except the checks that depend on a failed check."""
    try:
        place = connection.place()
    except ConfigurationError as error:
        yield CheckResult("environment", "configuration", False, "none", terminal_text(error), Code.USAGE)
        return
    yield CheckResult("environment", "configuration", True, place.name)
    configured = [group for group in ADDRESS_FIELD if place.address(group)]
    if not configured:
        names = ", ".join(place.variable(field) for field in ADDRESS_FIELD.values())
        result = f"environment {place.name!r} has no address"
        yield CheckResult("environment", "addresses", False, result, f"set at least one of {names}", Code.USAGE)
    for group in ADDRESS_FIELD:
        if group in configured:
            yield from _group(group, place, connection)
        else:
            yield _left_out(group, place)


def _left_out(group: Group, place: Environment) -> CheckResult:
    missing = f"set {place.variable(ADDRESS_FIELD[group])} to use it"
    if any(os.environ.get(place.variable(name)) for name in CREDENTIALS[group]):
        return CheckResult(group, "address", False, "the credential is set, but the address isn't", missing, Code.USAGE)
    return CheckResult(group, "address", None, "not configured", missing)


def _group(group: Group, place: Environment, connection: Connection) -> Iterator[CheckResult]:
    try:
        address = parse_address(
            place.variable(ADDRESS_FIELD[group]),
            place.address(group) or "",
            allow_insecure_loopback=place.name not in OPERATED,
        )
    except ConfigurationError as error:
        yield CheckResult(group, "address", False, "invalid", terminal_text(error), Code.USAGE)
        return
    yield CheckResult(group, "address", True, address.url)
    network = list(_network(group, place, address, connection))
    yield from network
    shape, client = _credential(group, place, connection)
    yield shape
    if client is None:
        return
    with client:
        trust = "" if ", trust " in client.http_backend or place.name == "sandbox" else ", trust certifi"
        yield CheckResult(group, "HTTP backend", True, client.http_backend + trust)
        if all(each.good is not False for each in network):
            yield from _read(group, client, place)
        else:
            yield CheckResult(group, "read", None, "skipped, because the service can't be reached")


def _network(group: Group, place: Environment, address: Address, connection: Connection) -> Iterator[CheckResult]:
    if place.name == "sandbox":
        yield CheckResult(group, "DNS and TLS", None, "not needed, because the sandbox runs in this process")
        return
    if place.proxy() is not None:
        yield CheckResult(
            group, "DNS and TLS", None, f"checked by the read, through the proxy in {place.variable('proxy')}"
        )
        return
    try:
        yield CheckResult(group, "DNS", True, ", ".join(resolve(address)[:3]))
    except ProbeError as error:
        remedy = f"check the host name in {place.variable(ADDRESS_FIELD[group])} and this machine's DNS"
        yield CheckResult(group, "DNS", False, f"{address.hostname}: {error}", remedy, Code.NOT_SENT)
        return
    try:
        seen = connect(address, connection.context())
    except ProbeError as error:
        remedy = "check that the service runs and that no firewall blocks the connection"
        if error.is_certificate_invalid:
            remedy = "if the service uses a private CA, pass its PEM file with --ca-file"
        yield CheckResult(
            group, "TLS" if address.scheme == "https" else "connection", False, str(error), remedy, Code.NOT_SENT
        )
        return
    if seen is None:
        yield CheckResult(group, "TLS", None, "plain HTTP, which is allowed only on this machine")
        return
    left = None if seen.expires is None else seen.expires - datetime.now(UTC)
    result = seen.version if left is None else f"{seen.version}, certificate expires in {left.days} days"
    remedy = "tell the operator that the certificate expires soon" if left is not None and left < _SOON else ""
    yield CheckResult(group, "TLS", True, result, remedy)


def _credential(group: Group, place: Environment, connection: Connection) -> tuple[CheckResult, Client | None]:
    """Check the format of a credential without showing it."""
    names = [place.variable(name) for name in CREDENTIALS[group]]
    try:
        client = connection.client(group, place)
    except ConfigurationError as error:
        return CheckResult(group, "credential", False, "missing or invalid", terminal_text(error), Code.USAGE), None
    if place.name == "sandbox":
        return CheckResult(group, "credential", True, "the credential of the sandbox"), client
    for name in names:
        value = os.environ.get(name, "")
        if not value:  # only the gateway client can be created without a credential
            result = "none; only campaigns.activate works without one"
            return CheckResult(group, "credential", False, result, f"set {name}", Code.USAGE), client
        if value[0] in "\"'<" or value.lower().startswith(("basic ", "bearer ", "jsessionid=", "x-api-key")):
            result = f"{name} has the wrong format"
            remedy = "set only the value, without quotes, <...>, Basic, Bearer, or a cookie name"
            return CheckResult(group, "credential", False, result, remedy, Code.USAGE), client
    return CheckResult(group, "credential", True, f"{' and '.join(names)} set"), client


def _read(group: Group, client: Client, place: Environment) -> Iterator[CheckResult]:
    """Send a read, and compare this machine's clock with the `Date` of the response."""
    if isinstance(client, StorefrontClient):
        yield CheckResult(group, "read", None, "skipped, because the storefront has no read")
        return
    headers: dict[str, str] = {}
    try:
        result = _reading(client.with_options(deadline=_SECONDS), headers)
    except SubscribekitError as error:
        headers.update(error.headers if isinstance(error, APIError) else {})
        yield CheckResult(
            group, "read", False, printable(terminal_text(error)), _remedy(error, group, place), code_of(error)
        )
    else:
        yield CheckResult(group, "read", True, result)
    if place.name != "sandbox":
        yield _clock(group, headers)


def _remedy(error: SubscribekitError, group: Group, place: Environment) -> str:
    names = " and ".join(place.variable(name) for name in CREDENTIALS[group])
    if isinstance(error, AuthenticationError) or (isinstance(error, APIError) and error.status_code == 403):
        return f"the service rejects the credential; check {names}"
    request = error.request_id if isinstance(error, APIError) else None
    return f"send request ID {request} to the operator" if request else "try again; if it fails again, ask the operator"


def _reading(client: BillingClient | GatewayClient | UserMgmtClient, headers: dict[str, str]) -> str:
    """Send a read, add the response headers to `headers`, and return a description of the read."""
    if isinstance(client, BillingClient):
        return _counted("limit=1", client.with_raw_response.accounts.list(limit=1), headers)
    if isinstance(client, UserMgmtClient):
        return _counted("size=1", client.with_raw_response.accounts.list(size=1), headers)
    try:
        response = client.with_raw_response.subscriptions.retrieve(_NOWHERE)
    except NotFoundError as error:
        headers.update(error.headers)
        return f"subscriptions.retrieve({_NOWHERE!r}): not found, as expected"
    headers.update(response.headers)
    return "subscriptions.retrieve"


def _counted(size: str, accounts: RawPager[M], headers: dict[str, str]) -> str:
    response = accounts.first()
    headers.update(response.headers)
    total = response.data.total_count
    return f"accounts.list({size})" + ("" if total is None else f": {total} accounts")


def _clock(group: Group, headers: dict[str, str]) -> CheckResult:
    date = next((value for name, value in headers.items() if name.lower() == "date"), None)
    theirs = None if date is None else http_date(date)
    if theirs is None:
        return CheckResult(group, "clock", None, "skipped, because the response has no valid Date header")
    ahead = datetime.now(UTC) - theirs
    seconds = round(ahead.total_seconds())
    if abs(ahead) <= _SKEW:
        return CheckResult(group, "clock", True, f"{abs(seconds)} s difference from the service's clock")
    side = "ahead of" if seconds > 0 else "behind"
    result = f"{abs(seconds)} s {side} the service's clock"
    remedy = "synchronize this machine's clock with NTP, because calls use its time"
    return CheckResult(group, "clock", False, result, remedy, Code.USAGE)
