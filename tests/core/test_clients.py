"""Clients: their settings and the rules for these, copies with other settings, and closing."""

from __future__ import annotations

import inspect
import math
import ssl
import subprocess
import sys
from typing import Any

import httpx
import pytest

from core.test_environments import ANSWERS, CALLS
from kit.calls import ASYNC, AUTH, BLOCKING, CREDENTIALS, GROUPS, URL, Group, Run, Service, answer, page
from looped import looped
from subscribekit import BillingClient, Limits, RetryPolicy, Timeouts, TraceContext
from subscribekit._core.http.wire import tls
from subscribekit.errors import (
    ClientClosedError,
    ConfigurationError,
    ConnectionFailedError,
    DeadlineExceededError,
    InvalidArgumentError,
    ServerError,
)

BAD_TIMES = [0, -1, -0.5, math.nan, math.inf, -math.inf, "5", True]


def accounts(client: Any) -> Any:
    return client.accounts.list()


# Settings


def test_defaults_are_the_documented_ones() -> None:
    assert Timeouts() == Timeouts(connect=5, read=30, write=10, pool=5)
    limits = Limits()
    assert (limits.max_connections, limits.keepalive_expiry, limits.write_keepalive_expiry) == (100, 5.0, 1.0)
    policy = RetryPolicy()
    assert (policy.max_attempts, policy.backoff_base, policy.backoff_max) == (3, 0.5, 8.0)
    assert (policy.retry_after_max, policy.retry_unknown) == (60.0, False)


@looped("time", BAD_TIMES)
@looped("name", ["connect", "read", "write", "pool"])
def test_a_time_is_positive_and_finite(name: str, time: Any) -> None:
    with pytest.raises(ConfigurationError, match=rf"Timeouts\.{name}"):
        Timeouts(**{name: time})


@looped("time", BAD_TIMES)
@looped("group", GROUPS)
def test_a_deadline_is_positive_and_finite(group: Group, time: Any) -> None:
    for kind in (BLOCKING[group], ASYNC[group]):
        with pytest.raises(ConfigurationError, match="deadline"):
            kind(base_url=URL[group], deadline=time, **CREDENTIALS[group])
        client = kind(base_url=URL[group], deadline=None, **CREDENTIALS[group])
        with pytest.raises(ConfigurationError, match="deadline"):
            client.with_options(deadline=time)


@looped(
    ("arguments", "name"),
    [
        *(({name: time}, name) for name in ("backoff_base", "backoff_max", "retry_after_max") for time in BAD_TIMES),
        ({"max_attempts": 0}, "max_attempts"),
        ({"max_attempts": 7}, "max_attempts"),
        ({"max_attempts": 2.0}, "max_attempts"),
        ({"max_attempts": True}, "max_attempts"),
        ({"retry_unknown": 1}, "retry_unknown"),
        ({"retry_unknown": None}, "retry_unknown"),
    ],
)
def test_a_retry_policy_refuses_nonsense(arguments: dict[str, Any], name: str) -> None:
    with pytest.raises(ConfigurationError, match=rf"RetryPolicy\.{name}"):
        RetryPolicy(**arguments)


@looped(
    ("arguments", "name"),
    [
        ({"max_connections": 0}, "max_connections"),
        ({"max_connections": -1}, "max_connections"),
        ({"max_connections": 1.5}, "max_connections"),
        ({"max_connections": True}, "max_connections"),
        *(({name: time}, name) for name in ("keepalive_expiry", "write_keepalive_expiry") for time in BAD_TIMES),
    ],
)
def test_limits_refuse_nonsense(arguments: dict[str, Any], name: str) -> None:
    with pytest.raises(ConfigurationError, match=rf"Limits\.{name}"):
        Limits(**arguments)


@pytest.mark.parametrize("value", [Timeouts(), Limits(), RetryPolicy(), TraceContext("a" * 32, "b" * 16)])
def test_values_are_immutable_and_equal_by_content(value: Any) -> None:
    assert value == type(value)(**{name: getattr(value, name) for name in value.__dataclass_fields__})
    with pytest.raises(AttributeError):
        setattr(value, next(iter(value.__dataclass_fields__)), 1)


@pytest.mark.parametrize("group", GROUPS)
def test_all_arguments_of_a_client_are_keyword_only_and_the_same_in_both_styles(group: Group) -> None:
    blocking, asynchronous = (inspect.signature(kind).parameters for kind in (BLOCKING[group], ASYNC[group]))
    assert list(blocking) == list(asynchronous)
    assert {parameter.kind for parameter in blocking.values()} == {inspect.Parameter.KEYWORD_ONLY}
    common = {
        "user_agent_suffix",
        "environment", "base_url", "timeouts", "deadline", "retry", "wire_names", "transport", "ssl_context", "proxy",
        "limits", "allow_insecure_loopback", "trace", "observers", "read_only", "check_minor_units",
        "http_client",
    }  # fmt: skip
    own = {
        "billing": {"api_version", "compress_requests", "send_gzip_header"},
        "user_mgmt": {"cookie_name", "api_release"},
    }.get(group, set())
    assert set(blocking) == common | set(CREDENTIALS[group]) | own
    for name, parameter in blocking.items():
        assert parameter.default == asynchronous[name].default
    assert blocking["deadline"].default == 60.0
    assert blocking["trace"].default == "auto"


@pytest.mark.parametrize("version", ["", "a b", "x" * 33, "1\n", 20190501, "ä/b"])
def test_an_api_version_is_a_word(version: Any) -> None:
    with pytest.raises(ConfigurationError, match="api_version"):
        BillingClient(base_url=URL["billing"], api_version=version, **CREDENTIALS["billing"])


def weak_context(**changes: Any) -> ssl.SSLContext:
    context = ssl.create_default_context()
    for name, value in changes.items():
        setattr(context, name, value)
    return context


@pytest.mark.parametrize("group", GROUPS)
def test_a_tls_context_must_verify(group: Group) -> None:
    loose = [
        weak_context(check_hostname=False),
        weak_context(check_hostname=False, verify_mode=ssl.CERT_NONE),
        False,
        True,
        "/etc/ssl/cert.pem",
    ]
    for kind in (BLOCKING[group], ASYNC[group]):
        for context in loose:
            with pytest.raises(ConfigurationError, match="ssl_context"):
                kind(base_url=URL[group], ssl_context=context, **CREDENTIALS[group])
        strict = weak_context(minimum_version=ssl.TLSVersion.TLSv1_3)
        kind(base_url=URL[group], ssl_context=strict, **CREDENTIALS[group])
        assert strict.minimum_version is ssl.TLSVersion.TLSv1_3


@pytest.mark.parametrize("group", GROUPS)
def test_a_tls_context_without_a_minimum_version_gets_one(group: Group) -> None:
    for kind in (BLOCKING[group], ASYNC[group]):
        unset = weak_context(minimum_version=ssl.TLSVersion.MINIMUM_SUPPORTED)
        kind(base_url=URL[group], ssl_context=unset, **CREDENTIALS[group])
        assert unset.minimum_version is ssl.TLSVersion.TLSv1_2


def test_the_shared_tls_context_has_a_minimum_version(monkeypatch: pytest.MonkeyPatch) -> None:
    unset = weak_context(minimum_version=ssl.TLSVersion.MINIMUM_SUPPORTED)
    monkeypatch.setattr(httpx, "create_ssl_context", lambda *, trust_env: unset)
    monkeypatch.setattr(tls, "_contexts", [])
    assert tls.shared_ssl_context().minimum_version is ssl.TLSVersion.TLSv1_2


@pytest.mark.parametrize(
    "proxy", ["", "proxy:8080", "socks5://p:1", "http://", "http://p/path", "http://p?x", "http://p:x"]
)
def test_a_proxy_is_an_http_address_and_its_password_is_not_shown(proxy: str) -> None:
    with pytest.raises(ConfigurationError, match="proxy"):
        BillingClient(base_url=URL["billing"], proxy=proxy, **CREDENTIALS["billing"])
    with pytest.raises(ConfigurationError, match="proxy") as caught:
        BillingClient(base_url=URL["billing"], proxy="ftp://me:secret-1@p", **CREDENTIALS["billing"])
    assert "secret-1" not in str(caught.value)
    client = BillingClient(base_url=URL["billing"], proxy="http://me:secret-1@p:1", **CREDENTIALS["billing"])
    assert "secret-1" not in repr(vars(client)) + repr(vars(vars(client)["_driver"].transport))


@pytest.mark.parametrize(
    ("name", "wrong"),
    [("timeouts", 5), ("timeouts", {"read": 5}), ("retry", 3), ("limits", 10), ("wire_names", {"accounts_email": "x"})],
)
def test_a_setting_of_another_type_is_refused_at_once(name: str, wrong: Any) -> None:
    with pytest.raises(ConfigurationError, match=name):
        BillingClient(base_url=URL["billing"], **CREDENTIALS["billing"], **{name: wrong})


def test_a_transport_of_the_other_style_is_refused_at_once() -> None:
    with pytest.raises(ConfigurationError, match="transport"):
        BLOCKING["billing"](base_url=URL["billing"], transport=httpx.AsyncHTTPTransport(), **CREDENTIALS["billing"])
    with pytest.raises(ConfigurationError, match="transport"):
        ASYNC["billing"](base_url=URL["billing"], transport=httpx.HTTPTransport(), **CREDENTIALS["billing"])


# with_options


@pytest.mark.parametrize("style", [BLOCKING, ASYNC])
def test_a_copy_keeps_the_attributes_of_a_subclass_and_has_its_own_resources(style: Any) -> None:
    class Tenant(style["billing"]):  # type: ignore[misc,name-defined]  # a class of either style
        def __init__(self, tenant: str, other: Any = None) -> None:
            self.tenant, self.other = tenant, other
            super().__init__(environment="sandbox")

    client = Tenant("t1", Tenant("t2"))
    first = (client.accounts, client.prepare, client.with_raw_response)
    copy = client.with_options(deadline=3)
    assert (copy.tenant, copy.other) == ("t1", client.other)
    assert all(
        mine is not its for mine, its in zip((copy.accounts, copy.prepare, copy.with_raw_response), first, strict=True)
    )


@pytest.mark.parametrize("group", GROUPS)
def test_a_copy_has_its_own_settings_and_shares_the_rest(group: Group, run: Run) -> None:
    service = Service(*(ANSWERS[group]() for _ in range(3)))

    async def story(client: Any) -> None:
        copy = client.with_options(headers={"X-Tenant": "7"}, trace="off")
        assert type(copy) is type(client)
        assert repr(copy) == repr(client)
        await run.finish(CALLS[group](copy))
        await run.finish(CALLS[group](client))
        await run.finish(CALLS[group](copy.with_options(headers={})))

    run(group, story, transport=service)
    assert [sent.headers.get("X-Tenant") for sent in service.sent] == ["7", None, None]
    assert ["X-B3-TraceId" in sent.headers for sent in service.sent] == [False, True, False]
    header, value = next(iter(AUTH[group].items()))
    assert [sent.headers[header] for sent in service.sent] == [value] * 3


def test_a_copy_uses_its_own_retry_policy(run: Run) -> None:
    service = Service(*(answer({}, 500) for _ in range(3)), answer({}, 500))

    async def story(client: Any) -> None:
        with pytest.raises(ServerError) as caught:
            await run.finish(client.accounts.list())
        assert caught.value.attempts == 3
        with pytest.raises(ServerError) as caught:
            await run.finish(client.with_options(retry=RetryPolicy(max_attempts=1)).accounts.list())
        assert caught.value.attempts == 1

    run("billing", story, transport=service)


def test_a_copy_s_timeouts_reach_the_transport_cut_to_the_deadline(run: Run) -> None:
    seen: list[dict[str, float]] = []

    class Spy(Service):
        def handle_request(self, request: httpx.Request) -> httpx.Response:
            seen.append(request.extensions["timeout"])
            return super().handle_request(request)

    service = Spy(page(), page(), page())

    async def story(client: Any) -> None:
        times = Timeouts(connect=1, read=2, write=3, pool=4)
        await run.finish(client.accounts.list())
        await run.finish(client.with_options(timeouts=times).accounts.list())
        await run.finish(client.with_options(timeouts=times, deadline=2.5).accounts.list())

    run("billing", story, transport=service)
    assert seen == [
        {"connect": 5.0, "read": 30.0, "write": 10.0, "pool": 5.0},
        {"connect": 1, "read": 2, "write": 3, "pool": 4},
        {"connect": 1, "read": 2, "write": 2.5, "pool": 2.5},
    ]


def test_a_deadline_ends_the_attempts(run: Run) -> None:
    service = Service()

    def slow(_: Any) -> httpx.Response:
        service.time.seconds += 4
        return answer({}, 500)

    service.answers = [slow] * 6
    with pytest.raises(ServerError) as caught:
        run("billing", accounts, transport=service, deadline=10.0, retry=RetryPolicy(max_attempts=6, backoff_base=3))
    assert caught.value.attempts == 2
    assert caught.value.elapsed == 11.0


def test_nothing_is_sent_after_the_deadline(run: Run) -> None:
    service = Service()

    def provider() -> str:
        service.time.seconds += 61
        return "token"

    with pytest.raises(DeadlineExceededError, match="60 s") as caught:
        run(
            "storefront",
            CALLS["storefront"],
            base_url=URL["storefront"],
            access_token=provider,
            transport=service,
        )
    assert caught.value.outcome == "not_sent"
    assert service.sent == []


def test_without_a_deadline_only_max_attempts_ends_a_call(run: Run) -> None:
    service = Service()

    def slow(_: Any) -> httpx.Response:
        service.time.seconds += 1e6
        return answer({}, 500)

    service.answers = [slow] * 3
    with pytest.raises(ServerError) as caught:
        run("billing", accounts, transport=service, deadline=None)
    assert caught.value.attempts == 3


@looped(
    "name",
    [
        "Authorization", "authorization", "COOKIE", "X-API-KEY", "Host", "Content-Length", "Transfer-Encoding",
        "X-B3-TraceId", "X-API-Version", "User-Agent", "Accept", "Accept-Encoding", "Content-Type",
        "Content-Encoding", "Connection", "Proxy-Authorization", "b3",
    ],
)  # fmt: skip
def test_an_extra_header_cannot_replace_one_of_the_client_s(name: str, run: Run) -> None:
    with pytest.raises(InvalidArgumentError, match=f"the header {name} isn't allowed"):
        run.client("gateway").with_options(headers={name: "x"})


@pytest.mark.parametrize("name", ["", "a b", "a:b", "ä", "a\r\nb", 5, None])
def test_an_extra_header_s_name_is_a_token(name: Any, run: Run) -> None:
    with pytest.raises(InvalidArgumentError, match="name of an extra header"):
        run.client("billing").with_options(headers={name: "x"})


@pytest.mark.parametrize("value", ["a\r\nX-Evil: 1", "a\x00", "ä", " a", "a ", 5, None, b"x", "\ud800"])
def test_an_extra_header_s_value_is_printable_ascii(value: Any, run: Run) -> None:
    with pytest.raises(InvalidArgumentError, match="value of header X-Tenant") as caught:
        run.client("billing").with_options(headers={"X-Tenant": value})
    assert "Evil" not in str(caught.value)


def test_an_extra_header_is_the_same_on_every_attempt(run: Run) -> None:
    service = Service(answer({}, 500), answer({}, 500), page())

    async def story(client: Any) -> None:
        await run.finish(client.with_options(headers={"Idempotency-Key": "k-1"}).accounts.list())

    run("billing", story, transport=service)
    assert [sent.headers.get_list("Idempotency-Key") for sent in service.sent] == [["k-1"]] * 3


@pytest.mark.parametrize(
    ("option", "wrong"), [("timeouts", 5), ("retry", 3), ("trace", "on"), ("trace", None), ("deadline", "1")]
)
def test_a_copy_refuses_what_the_client_refuses(option: str, wrong: Any, run: Run) -> None:
    with pytest.raises(ConfigurationError, match=option):
        run.client("billing").with_options(**{option: wrong})


# Lifecycle


@pytest.mark.parametrize("group", GROUPS)
def test_a_closed_client_refuses_calls_and_closing_twice_does_no_harm(group: Group, run: Run) -> None:
    service = Service()

    async def story(client: Any) -> None:
        copy = client.with_options(trace="off")
        await run.close(client)
        await run.close(client)
        for each in (client, copy, client.with_options(deadline=None)):
            with pytest.raises(ClientClosedError, match="closed") as caught:
                await run.finish(CALLS[group](each))
            assert caught.value.outcome == "not_sent"
            with pytest.raises(ClientClosedError):
                await run.now(each.request("GET", "/x"))

    run(group, story, transport=service)
    assert service.sent == []


def test_a_context_manager_closes_the_client(run: Run) -> None:
    async def story(_: Any) -> None:
        client = run.client("billing", transport=Service())
        if run.style == "async":
            async with client as same:
                assert same is client
        else:
            with client as same:
                assert same is client
        with pytest.raises(ClientClosedError):
            await run.finish(client.accounts.list())

    run("billing", story)


def test_a_transport_of_the_caller_is_not_closed(run: Run) -> None:
    closed: list[str] = []

    class Kept(Service):
        def close(self) -> None:
            closed.append("blocking")

        async def aclose(self) -> None:
            closed.append("async")

    run("billing", accounts, transport=Kept(page()))
    assert closed == []


def test_a_client_can_be_used_after_an_error(run: Run) -> None:
    service = Service(httpx.ConnectError("x"), answer({}, 404), page("a1"))

    async def story(client: Any) -> None:
        single = client.with_options(retry=RetryPolicy(max_attempts=1))
        with pytest.raises(ConnectionFailedError):
            await run.finish(single.accounts.list())
        with pytest.raises(Exception, match="404"):
            await run.finish(client.accounts.list())
        assert [account.id for account in await run.finish(client.accounts.list())] == ["a1"]

    run("billing", story, transport=service)


@pytest.mark.parametrize("group", GROUPS)
def test_creating_a_client_opens_no_socket_and_no_ca_file(group: Group, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any, **__: Any) -> None:
        raise AssertionError("a socket was opened")

    monkeypatch.setattr("socket.socket.connect", refuse)
    monkeypatch.setattr("ssl.SSLContext.load_verify_locations", refuse)
    for kind in (BLOCKING[group], ASYNC[group]):
        kind(base_url=URL[group], **CREDENTIALS[group])


@pytest.mark.parametrize("group", GROUPS)
def test_a_call_of_an_async_client_without_asyncio_is_refused_at_once(group: Group) -> None:
    client = ASYNC[group](base_url=URL[group], **CREDENTIALS[group], transport=Service())
    call = client.request("POST", "/x")
    with pytest.raises(ConfigurationError, match="asyncio") as caught:
        call.send(None)  # as trio's event loop would start it
    assert (caught.value.outcome, caught.value.operation) == ("not_sent", "request")
    assert not hasattr(caught.value, "__notes__")


def test_an_application_without_logging_sees_no_log_lines() -> None:
    """If the package had no log handler, the standard library would print its warnings to standard error."""
    program = (
        "import logging; from subscribekit import BillingClient\n"
        "BillingClient(base_url='https://b.test', api_user='u', api_key='k').close()\n"
        "logging.getLogger('subscribekit.anything').warning('a line')\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60)
    assert done.stderr == ""
