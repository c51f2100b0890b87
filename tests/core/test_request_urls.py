"""The URLs of requests: httpx parses them when something reads them, and they behave like every other URL of httpx."""

from __future__ import annotations

import copy
import json
import logging
import pickle
from collections.abc import Callable
from typing import Any
from unittest import mock

import httpx
import httpx2
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kit.calls import Run
from kit.faults.scripts import ok
from kit.faults.server import FaultServer
from looped import looped
from subscribekit._core.config.address import Address
from subscribekit._core.http.backends.library import Library
from subscribekit._core.http.progress import Progress
from subscribekit._core.http.transport import RawRequest
from subscribekit._sealed import NOTHING, SealedHeaders
from subscribekit.errors import InvalidArgumentError

LIBRARIES = {"httpx": httpx, "httpx2": httpx2}
libraries = pytest.mark.parametrize("library", LIBRARIES.values(), ids=LIBRARIES)
ADDRESS = Address("https", "gateway.test", 8443, "")
TARGET = "/submgmt/v2/subscriptions/s%201?a=b&c="
TEXT = ADDRESS.origin + TARGET
BODY = {"object": "Subscription", "id": "s 1"}


def request(library: Any, target: str = TARGET, address: Address = ADDRESS) -> Any:
    """Build a request as the SDK does."""
    raw = RawRequest("GET", address, target, SealedHeaders([]), [], NOTHING, {}, Progress(), None, None)
    return Library(library.__name__).request(raw, None).reveal()


def is_parsed(url: Any) -> bool:
    return "_uri_reference" in vars(url)


# The URL alone

USES: dict[str, Callable[[Any], object]] = {
    "str": str,
    "repr": repr,
    "hash": hash,
    "pickle": lambda url: pickle.loads(pickle.dumps(url)),
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "the constructor": lambda url: type(url).__mro__[-2](url),
    "copy_with": lambda url: url.copy_with(path="/other", port=None),
    "copy_set_param": lambda url: url.copy_set_param("a", "x"),
    "copy_merge_params": lambda url: url.copy_merge_params({"d": "e"}),
    "join": lambda url: url.join("../s2?x=y"),
}


def properties(library: Any) -> list[str]:
    return [name for name, value in vars(library.URL).items() if isinstance(value, property) and name != "raw"]


@libraries
def test_the_url_is_a_url_of_the_library_and_equals_the_parsed_one(library: Any) -> None:
    url, parsed = request(library).url, library.URL(TEXT)
    assert isinstance(url, library.URL)
    assert type(url) is not library.URL
    assert url == parsed
    assert parsed == url
    assert url == TEXT
    assert url == request(library).url
    assert url != library.URL(TEXT + "x")
    assert {url: 1}[parsed] == 1


@libraries
@looped("name", USES)
def test_the_operations_return_the_same_as_those_of_a_parsed_url(library: Any, name: str) -> None:
    result, expected = USES[name](request(library).url), USES[name](library.URL(TEXT))
    assert (result, type(result)) == (expected, type(expected))


@libraries
@looped("address", [ADDRESS, Address("http", "::1", None, ""), Address("https", "xn--mller-kva.test", None, "")])
def test_the_properties_are_those_of_a_parsed_url(library: Any, address: Address) -> None:
    for target in (TARGET, "/", "/a?", "/a//b;c=1?d=/.e"):
        for name in properties(library):
            url = request(library, target, address).url
            assert getattr(url, name) == getattr(library.URL(address.origin + target), name), name


@libraries
def test_a_library_without_the_private_attribute_parses_the_url(library: Any) -> None:
    class OtherURL(library.URL):
        def __init__(self, *_: object, **__: object) -> None:
            """Don't set the private attribute."""

    with mock.patch.object(library, "URL", OtherURL):
        sdks = Library(library.__name__)
    raw = RawRequest("GET", ADDRESS, TARGET, SealedHeaders([]), [], NOTHING, {}, Progress(), None, None)
    url = sdks.request(raw, None).reveal().url
    assert type(url) is library.URL
    assert url == TEXT


CHARACTERS = "/.%?#&=+;:@-_~!$'()*,<>[]{}|^`\\\" \t\n09afAFzZé"


@libraries
@given(target=st.text(CHARACTERS, max_size=12).map("/".__add__))
def test_an_unparsed_url_is_sent_unchanged_or_refused(library: Any, target: str) -> None:
    """httpx quotes some characters and removes dot segments. The changed URL would identify another resource."""
    try:
        url = request(library, target).url
    except InvalidArgumentError:
        return
    assert url.raw_path.decode() == target
    assert library.URL(ADDRESS.origin + target).raw_path.decode() == target


@libraries
@looped("target", ["/a/../b", "/a/.", "/a b", "/a#b", "/é", "/a`"])
def test_a_path_that_the_library_would_change_is_refused(library: Any, target: str) -> None:
    with pytest.raises(InvalidArgumentError, match="would change the path"):
        request(library, target)


# The URL in a client


def client_of(run: Run, library: Any, **options: Any) -> Any:
    return (library.Client if run.style == "blocking" else library.AsyncClient)(**options)


def answering(library: Any, **headers: str) -> Any:
    return library.MockTransport(lambda _: library.Response(200, json=BODY, headers=headers))


def read(client: Any) -> Any:
    return client.subscriptions.retrieve("s 1")


READ = "https://gateway.test/submgmt/v2/subscriptions/s%201"


def hooks(run: Run, hook: Callable[[Any], None]) -> Any:
    async def hook_async(each: Any) -> None:
        hook(each)

    return {"request": [hook if run.style == "blocking" else hook_async]}


def test_a_call_over_own_connections_parses_no_url(run: Run) -> None:
    kind = httpx.Client if run.style == "blocking" else httpx.AsyncClient
    seen = list[Any]()
    real = kind.send

    def send(own: Any, request: Any, **options: Any) -> Any:
        seen.append(request.url)
        return real(own, request, **options)

    with FaultServer(ok(json.dumps(BODY).encode())) as srv, mock.patch.object(kind, "send", send):
        run("gateway", read, base_url=srv.url, api_key="k", allow_insecure_loopback=True)
        assert not is_parsed(seen[0])
        assert str(seen[0]) == f"{srv.url}/submgmt/v2/subscriptions/s%201"
        assert is_parsed(seen[0])


@libraries
def test_a_hook_can_read_the_url(run: Run, library: Any) -> None:
    seen = list[str]()

    def hook(request: Any) -> None:
        seen.append(f"{request.url.host} {request.url.path} {request.url} {request!r}")

    given = client_of(run, library, transport=answering(library), event_hooks=hooks(run, hook))
    run("gateway", read, http_client=given)
    assert seen == [f"gateway.test /submgmt/v2/subscriptions/s 1 {READ} <Request('GET', '{READ}')>"]


@libraries
def test_a_hook_can_replace_the_url(run: Run, library: Any) -> None:
    seen = list[str]()

    def hook(request: Any) -> None:
        request.url = request.url.copy_with(host="other.test").copy_merge_params({"a": "b"})

    def answer(request: Any) -> Any:
        seen.append(str(request.url))
        return library.Response(200, json=BODY)

    transport = library.MockTransport(answer)
    run("gateway", read, http_client=client_of(run, library, transport=transport, event_hooks=hooks(run, hook)))
    assert seen == [f"{READ.replace('gateway', 'other')}?a=b"]


@libraries
@pytest.mark.parametrize("pattern", ["all://", "https://", "all://gateway.test", "https://*.test:443"])
def test_a_mount_is_found_by_the_url(run: Run, library: Any, pattern: str) -> None:
    wrong = library.MockTransport(lambda _: library.Response(500))
    mounts = {pattern: answering(library), "all://other.test": wrong}
    run("gateway", read, http_client=client_of(run, library, transport=wrong, mounts=mounts))


@libraries
def test_cookies_are_kept_for_the_url(run: Run, library: Any) -> None:
    given = client_of(run, library, transport=answering(library, **{"Set-Cookie": "a=b; Path=/submgmt"}))
    run("gateway", read, http_client=given)
    assert [(each.name, each.domain, each.path) for each in given.cookies.jar] == [("a", "gateway.test", "/submgmt")]


@libraries
def test_a_log_record_contains_the_url(run: Run, library: Any, caplog: pytest.LogCaptureFixture) -> None:
    logger = logging.getLogger("shop")
    caplog.set_level(logging.INFO)

    def hook(request: Any) -> None:
        logger.info("%s %r", request.url, request.url)

    given = client_of(run, library, transport=answering(library), event_hooks=hooks(run, hook))
    run("gateway", read, http_client=given)
    assert f"{READ} URL('{READ}')" in [each.getMessage() for each in caplog.records]
