"""Credentials: their format and their sources. Nothing ever shows them."""

from __future__ import annotations

import base64
import copy
import dataclasses
import pickle
import traceback
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from core.test_environments import ANSWERS, CALLS
from kit.calls import (
    ASYNC,
    AUTH,
    BLOCKING,
    CREDENTIALS,
    GROUPS,
    SECRETS,
    URL,
    Group,
    Run,
    Service,
    answer,
    array,
)
from looped import looped
from subscribekit import Environment, RetryPolicy
from subscribekit._core.config.credentials import Credential
from subscribekit._sealed import Secret
from subscribekit.errors import AuthenticationError, ConfigurationError, RateLimitError, ServerError
from subscribekit.models import EntitlementCharge
from subscribekit.transports import AsyncPooledTransport, PooledTransport, direct

ENCODED = base64.b64encode(f"{SECRETS[0]}:{SECRETS[1]}".encode()).decode()
HIDDEN = (*SECRETS, ENCODED)

BAD = {
    "empty": "",
    "newline": "secret-4711\n",
    "crlf": "secret-4711\r\nX-Evil: 1",
    "space before": " secret-4711",
    "space after": "secret-4711 ",
    "tab inside": "secret\t4711",
    "not ascii": "secret-4711-ä",
    "nul": "secret-4711\x00",
    "10 KB": "secret-4711" * 1000,
    "bytes": b"secret-4711",
    "number": 4711,
}
ARGUMENTS: list[tuple[Group, str]] = [(group, name) for group in GROUPS for name in CREDENTIALS[group]]


@looped("bad", BAD.values())
@looped(("group", "argument"), ARGUMENTS)
def test_a_credential_of_a_wrong_form_is_refused_without_showing_it(group: Group, argument: str, bad: Any) -> None:
    if group == "billing" and bad == BAD["not ascii"]:
        return  # allowed, because it is encoded as UTF-8: tests/core/test_cookies_and_keys.py
    for kind in (BLOCKING[group], ASYNC[group]):
        with pytest.raises(ConfigurationError, match=argument) as caught:
            kind(**{"base_url": URL[group], **CREDENTIALS[group], argument: bad})
        assert "4711" not in str(caught.value) + repr(caught.value)
        assert caught.value.__cause__ is None


@pytest.mark.parametrize("user", ["a:b", ":", "user:"])
def test_a_basic_user_has_no_colon(user: str) -> None:
    with pytest.raises(ConfigurationError, match="api_user must not contain a colon"):
        BLOCKING["billing"](base_url=URL["billing"], api_user=user, api_key="k")


def test_a_basic_key_may_have_colons(run: Run) -> None:
    service = Service(ANSWERS["billing"]())
    run("billing", CALLS["billing"], base_url=URL["billing"], api_user="u", api_key="a:b:", transport=service)
    assert service.only.headers["Authorization"] == "Basic " + base64.b64encode(b"u:a:b:").decode()


@pytest.mark.parametrize("session", ["a b", "a;b", "a,b", 'a"b', "a\\b"])
def test_a_session_cannot_end_its_cookie(session: str, run: Run) -> None:
    with pytest.raises(ConfigurationError, match="session_id") as caught:
        run.client("user_mgmt", base_url=URL["user_mgmt"], session_id=session)
    assert session not in str(caught.value)
    service = Service()
    with pytest.raises(ConfigurationError, match="session_id"):
        run(
            "user_mgmt",
            CALLS["user_mgmt"],
            base_url=URL["user_mgmt"],
            session_id=lambda: session,
            transport=service,
        )
    assert service.sent == []


@pytest.mark.parametrize("token", ["a b", "Bearer x"])
def test_a_token_has_no_space(token: str, run: Run) -> None:
    with pytest.raises(ConfigurationError, match="access_token"):
        run.client("storefront", base_url=URL["storefront"], access_token=token)


@pytest.mark.parametrize("name", ["", "a b", "a=b", "a;b", "ä", "a\n", 5, None])
def test_a_cookie_s_name_is_a_word(name: Any, run: Run) -> None:
    with pytest.raises(ConfigurationError, match="cookie_name"):
        run.client("user_mgmt", base_url=URL["user_mgmt"], session_id="s", cookie_name=name)


def test_the_cookie_may_have_another_name(run: Run) -> None:
    service = Service(array())
    options = {"base_url": URL["user_mgmt"], "session_id": "s-1", "cookie_name": "SID"}
    run("user_mgmt", CALLS["user_mgmt"], transport=service, **options)
    assert service.only.headers["Cookie"] == "SID=s-1"


def test_a_set_cookie_changes_nothing(run: Run) -> None:
    service = Service(answer([{"id": 1}], Set_Cookie="JSESSIONID=evil; Path=/"), array())
    run("user_mgmt", CALLS["user_mgmt"], transport=service)
    assert [sent.headers.get_list("cookie") for sent in service.sent] == [[AUTH["user_mgmt"]["Cookie"]]] * 2


@pytest.mark.parametrize("group", GROUPS)
def test_each_group_sends_exactly_its_own_credential(group: Group, run: Run) -> None:
    service = Service(ANSWERS[group]())
    run(group, CALLS[group], transport=service)
    sent = {name.title(): value for name, value in service.only.headers.items()}
    present = {"Authorization", "X-Api-Key", "Cookie", "Proxy-Authorization"} & sent.keys()
    assert {name: sent[name] for name in present} == {name.title(): value for name, value in AUTH[group].items()}
    assert service.only.header_names[-1].title() == next(iter(AUTH[group])).title(), (
        "the credential must be the last header"
    )
    foreign = [secret for secret in SECRETS if secret not in CREDENTIALS[group].values()]
    assert not any(secret in str(sent) + service.only.url for secret in foreign)


# Values from callables


def provider(values: Iterator[str], run: Run, *, coroutine: bool = False) -> Any:
    async def provide() -> str:
        return next(values)

    return provide if coroutine and run.style == "async" else lambda: next(values)


SOURCES: list[tuple[Group, str, Callable[[str], str]]] = [
    ("billing", "api_key", lambda key: "Basic " + base64.b64encode(f"{SECRETS[0]}:{key}".encode()).decode()),
    ("gateway", "api_key", lambda key: key),
    ("user_mgmt", "session_id", lambda session: f"JSESSIONID={session}"),
    ("storefront", "access_token", lambda token: f"Bearer {token}"),
]
"""Each credential that a callable can provide: its group, its argument, and a function from its value to the header."""
every_source = pytest.mark.parametrize(("group", "argument", "sent_as"), SOURCES)


def given(group: Group, argument: str, value: object) -> dict[str, Any]:
    return {"base_url": URL[group], **CREDENTIALS[group], argument: value}


@every_source
@pytest.mark.parametrize("coroutine", [False, True])
def test_a_callable_provides_the_credential_of_each_call(
    group: Group, argument: str, sent_as: Callable[[str], str], coroutine: bool, run: Run
) -> None:
    service = Service(ANSWERS[group](), ANSWERS[group]())
    values = iter(["one", "two"])

    async def story(client: Any) -> None:
        await run.finish(CALLS[group](client))
        await run.finish(CALLS[group](client))

    run(group, story, transport=service, **given(group, argument, provider(values, run, coroutine=coroutine)))
    header = next(iter(AUTH[group]))
    assert [sent.headers[header] for sent in service.sent] == [sent_as("one"), sent_as("two")]


@every_source
@pytest.mark.parametrize("coroutine", [False, True])
@pytest.mark.parametrize("attempts", [1, 3])
def test_a_401_is_retried_once_with_a_new_credential(
    group: Group, argument: str, sent_as: Callable[[str], str], coroutine: bool, attempts: int, run: Run
) -> None:
    """H228: This holds even if the policy allows no retry, because the service refused the request before it acted."""
    service = Service(answer({}, 401), ANSWERS[group]())
    options = given(group, argument, provider(iter(["old", "new", "new"]), run, coroutine=coroutine))
    run(group, CALLS[group], transport=service, retry=RetryPolicy(max_attempts=attempts), **options)
    header = next(iter(AUTH[group]))
    assert [sent.headers[header] for sent in service.sent] == [sent_as("old"), sent_as("new")]
    assert sum(service.time.slept) == 0


def test_a_renewed_credential_allows_only_one_more_attempt(run: Run) -> None:
    values = iter(["old", "new", "newest"])
    service = Service(answer({}, 401), answer({}, 502))
    with pytest.raises(ServerError) as caught:
        run(
            "gateway",
            CALLS["gateway"],
            base_url=URL["gateway"],
            api_key=lambda: next(values),
            transport=service,
            retry=RetryPolicy(max_attempts=1),
        )
    assert caught.value.attempts == 2


def test_a_charge_is_sent_with_the_renewed_key_even_if_retries_are_off(run: Run) -> None:
    keys = iter(["old", "new"])
    service = Service(answer({}, 401), answer({"transactionReferenceId": "r1"}))
    run(
        "gateway",
        lambda client: client.entitlements.charge("p1", EntitlementCharge(transaction_id="t1")),
        base_url=URL["gateway"],
        api_key=lambda: next(keys),
        transport=service,
        retry=RetryPolicy(max_attempts=1),
    )
    assert [sent.headers["X-API-KEY"] for sent in service.sent] == ["old", "new"]
    assert service.sent[0].body == service.sent[1].body


@every_source
@looped("bad", [BAD[name] for name in BAD if name != "not ascii"])
def test_each_callable_must_return_a_well_formed_credential(
    group: Group, argument: str, sent_as: Callable[[str], str], bad: Any, run: Run
) -> None:
    service = Service()
    with pytest.raises(ConfigurationError, match=argument) as caught:
        run(group, CALLS[group], transport=service, **given(group, argument, lambda: bad))
    assert caught.value.outcome == "not_sent"
    assert str(bad).strip() not in str(caught.value) or not str(bad).strip()


@pytest.mark.parametrize(("group", "argument"), [(group, argument) for group, argument, _ in SOURCES])
def test_showing_a_client_does_not_call_its_callable(group: Group, argument: str, run: Run) -> None:
    def refuse() -> str:
        raise AssertionError

    client = run.client(group, **given(group, argument, refuse))
    assert argument not in repr(client)
    assert "***" in client.prepare.request("GET", "/x").headers[next(iter(AUTH[group]))]
    with pytest.raises(TypeError):
        pickle.dumps(client)


def test_a_401_with_the_same_value_is_final(run: Run) -> None:
    service = Service(answer({}, 401))
    with pytest.raises(AuthenticationError) as caught:
        run(
            "storefront",
            CALLS["storefront"],
            base_url=URL["storefront"],
            access_token=lambda: "same",
            transport=service,
        )
    assert caught.value.attempts == 1


def test_a_401_is_retried_only_once(run: Run) -> None:
    service = Service(answer({}, 401), answer({}, 401))
    values = iter(f"token-{number}" for number in range(10))
    with pytest.raises(AuthenticationError) as caught:
        run(
            "storefront",
            CALLS["storefront"],
            base_url=URL["storefront"],
            access_token=lambda: next(values),
            transport=service,
            retry=RetryPolicy(max_attempts=6),
        )
    assert caught.value.attempts == 2


def test_a_401_for_a_fixed_credential_is_not_retried(run: Run) -> None:
    service = Service(answer({}, 401))
    with pytest.raises(AuthenticationError):
        run("storefront", CALLS["storefront"], transport=service)
    assert len(service.sent) == 1


def test_a_sync_client_refuses_a_coroutine_function() -> None:
    async def provide() -> str:
        return "token"

    service = Service()
    with pytest.raises(ConfigurationError, match="access_token returned an awaitable"):
        Run("blocking")(
            "storefront", CALLS["storefront"], base_url=URL["storefront"], access_token=provide, transport=service
        )
    assert service.sent == []


@pytest.mark.parametrize("value", ["", "a b", None, 5, "x\n"])
def test_an_unusable_value_of_a_callable_is_refused(value: Any, run: Run) -> None:
    service = Service()
    with pytest.raises(ConfigurationError, match="access_token"):
        run(
            "storefront",
            CALLS["storefront"],
            base_url=URL["storefront"],
            access_token=lambda: value,
            transport=service,
        )
    assert service.sent == []


# Nothing shows a credential (H30, H31)


def objects_of(thing: object, seen: set[int], depth: int = 0) -> Iterator[object]:
    """Yield everything that can be reached through the attributes of this package's objects."""
    if id(thing) in seen or depth > 6:
        return
    seen.add(id(thing))
    yield thing
    names = [*getattr(thing, "__dict__", {}), *getattr(type(thing), "__slots__", ())]
    for name in names:
        if isinstance(thing, Secret):
            continue
        value = getattr(thing, name, None)
        if type(value).__module__.startswith("subscribekit"):
            yield from objects_of(value, seen, depth + 1)
        else:
            yield value


@pytest.mark.parametrize("group", GROUPS)
def test_neither_repr_nor_vars_nor_dir_show_a_credential(group: Group, run: Run) -> None:
    client = run.client(group)
    shown = [repr(client), str(client), f"{client!r:>80}", repr(vars(client))]
    shown += [repr(each) for each in objects_of(client, set())]
    shown += [repr(getattr(client, name)) for name in dir(client) if not name.startswith("__")]
    assert len(shown) > 20
    for text in shown:
        assert not any(hidden in text for hidden in HIDDEN), text


@pytest.mark.parametrize("group", GROUPS)
def test_a_client_s_repr_shows_environment_and_host(group: Group, run: Run) -> None:
    client = run.client(group)
    host = URL[group].split("/")[2]
    assert repr(client) == f"<{type(client).__name__} environment='custom' host='{host}'>"
    assert "sandbox" in repr(run.client(group, environment="sandbox"))


@pytest.mark.parametrize("group", GROUPS)
@pytest.mark.parametrize("duplicate", [pickle.dumps, copy.copy, copy.deepcopy], ids=lambda it: it.__name__)
def test_a_client_cannot_be_pickled_or_copied(group: Group, duplicate: Any, run: Run) -> None:
    with pytest.raises(TypeError, match=r"can't be pickled or copied.*with_options") as caught:
        duplicate(run.client(group))
    assert not any(hidden in str(caught.value) for hidden in HIDDEN)


@pytest.mark.parametrize("duplicate", [pickle.dumps, copy.copy, copy.deepcopy], ids=lambda it: it.__name__)
def test_a_credential_cannot_be_pickled_or_copied(duplicate: Any) -> None:
    secret = Secret(SECRETS[1])
    for each in (secret, Credential("bearer", "https://a.test", secret)):
        with pytest.raises(TypeError, match="can't be pickled or copied"):
            duplicate(each)
        assert SECRETS[1] not in repr(each) + str(each) + f"{each}"
    with pytest.raises(TypeError, match="unhashable"):
        hash(secret)


def test_settings_and_environments_cannot_be_serialized() -> None:
    environment = Environment(name="mine", api_key=SECRETS[1], access_token=SECRETS[4])
    assert not any(secret in repr(environment) + str(environment.api_key) for secret in SECRETS)
    with pytest.raises(TypeError):
        dataclasses.asdict(environment)
    with pytest.raises(TypeError):
        pickle.dumps(environment)
    client = BLOCKING["storefront"](base_url=URL["storefront"], **CREDENTIALS["storefront"])
    with pytest.raises(TypeError):
        dataclasses.asdict(client._settings)


def test_a_credential_never_goes_to_another_origin() -> None:
    credential = Credential("bearer", "https://a.test", Secret(SECRETS[4]))
    signed = credential.signed([(b"A", b"1")], "https://a.test", Secret("t"))
    assert signed.reveal() == [(b"A", b"1"), (b"Authorization", b"Bearer t")]
    with pytest.raises(ConfigurationError, match="different origins") as caught:
        credential.signed([], "https://b.test", Secret("t"))
    assert caught.value.outcome == "not_sent"


@pytest.mark.parametrize("group", GROUPS)
def test_no_error_s_traceback_shows_a_credential_in_its_locals(group: Group, run: Run) -> None:
    service = Service(answer({"code": "forbidden", "message": "no"}, 403))
    try:
        run(group, CALLS[group], transport=service)
    except Exception as error:
        report = traceback.TracebackException.from_exception(error, capture_locals=True)
        ours = [frame for frame in report.stack if "/subscribekit/" in frame.filename]
        assert ours
        for frame in ours:
            assert not any(hidden in str(frame.locals) for hidden in HIDDEN), (frame.name, frame.locals)
    else:
        pytest.fail("the call must fail")


@pytest.mark.parametrize("bad", ["", b"bytes", None, "two words", 5])
def test_a_401_is_not_lost_when_the_callable_then_returns_an_unusable_value(bad: Any, run: Run) -> None:
    values = iter(["token-1", bad])
    service = Service(answer({"code": "authentication-required", "message": "expired"}, 401))
    with pytest.raises(AuthenticationError) as caught:
        run(
            "storefront",
            CALLS["storefront"],
            base_url=URL["storefront"],
            access_token=lambda: next(values),
            transport=service,
        )
    error = caught.value
    assert (error.outcome, error.attempts, error.status_code) == ("rejected", 1, 401)
    assert any("not retried: access_token" in note for note in error.__notes__)


def test_a_refusal_is_not_lost_when_the_callable_fails_before_the_next_attempt(run: Run) -> None:
    values = iter(["token-1", ""])
    service = Service(answer({}, 429))
    with pytest.raises(RateLimitError) as caught:
        run(
            "storefront",
            CALLS["storefront"],
            base_url=URL["storefront"],
            access_token=lambda: next(values),
            transport=service,
        )
    assert (caught.value.outcome, caught.value.attempts) == ("rejected", 1)


def test_an_interrupt_while_reconnecting_keeps_the_outcome_of_the_earlier_attempt(run: Run) -> None:
    class Interrupted(BaseException):
        pass

    def interrupt(request: Any) -> Any:
        raise Interrupted

    for first, outcome in ((answer({}, 429), "rejected"), (answer({}, 500), "unknown")):
        service = Service(first, interrupt)
        service.handle_request = connecting(service.handle_request)  # type: ignore[method-assign]
        with pytest.raises(Interrupted) as caught:
            run(
                "storefront",
                CALLS["storefront"],
                base_url=URL["storefront"],
                access_token="t",
                transport=service,
                retry=RetryPolicy(retry_unknown=True),
            )
        assert f"outcome {outcome}" in caught.value.__notes__[0]


def connecting(handle: Any) -> Any:
    """Return a handler that first reports that it is connecting, as httpcore does."""

    def handle_request(request: Any) -> Any:
        trace = request.extensions["trace"]
        pending = trace("connection.connect_tcp.started", {})
        if pending is not None:
            pending.close()
            trace.__self__.event("connection.connect_tcp.started")
        return handle(request)

    return handle_request


def test_a_timeout_of_the_callable_is_not_the_deadline_of_the_call(run: Run) -> None:
    def late() -> str:
        raise TimeoutError("the vault")

    service = Service()
    with pytest.raises(TimeoutError, match="the vault"):
        run("gateway", CALLS["gateway"], base_url=URL["gateway"], api_key=late, transport=service, deadline=60.0)
    assert service.sent == []


@pytest.mark.parametrize("make", [PooledTransport, AsyncPooledTransport, direct])
def test_a_proxy_that_is_refused_shows_its_password_in_no_frame(make: Any) -> None:
    with pytest.raises(ConfigurationError) as caught:
        make(proxy="ftp://ann:hush-4715@proxy.test")
    report = traceback.TracebackException.from_exception(caught.value, capture_locals=True)
    for frame in (each for each in report.stack if "/subscribekit/" in each.filename):
        assert "hush" not in str(frame.locals), (frame.name, frame.locals)
