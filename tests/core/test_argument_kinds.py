"""Arguments of a wrong type are refused before anything is sent, with an error that names the argument."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from kit.calls import ASYNC, BLOCKING, CREDENTIALS, GROUPS, URL, Group, Run, Service
from looped import looped
from subscribekit.errors import ConfigurationError, InvalidArgumentError

WRONG: list[Any] = [5, 0, "no", "", b"x", 1.5, [1], {"a": 1}, object()]
FLAGS = [("allow_insecure_loopback", group) for group in GROUPS] + [
    ("compress_requests", "billing"),
    ("send_gzip_header", "billing"),
]


@looped("wrong", [*WRONG, None])
@looped(("name", "group"), FLAGS)
def test_flags_of_a_client_are_booleans(name: str, group: Group, wrong: Any) -> None:
    for kind in (BLOCKING[group], ASYNC[group]):
        with pytest.raises(ConfigurationError, match=f"^{name} must be True or False"):
            kind(base_url=URL[group], **CREDENTIALS[group], **{name: wrong})


@looped(
    "wrong",
    [5, 0, None, "auto", b"x", {"a": 1}, {1}, object(), iter(()), (each for each in ())],
)
@looped("group", GROUPS)
def test_observers_are_a_list(group: Group, wrong: Any) -> None:
    for kind in (BLOCKING[group], ASYNC[group]):
        with pytest.raises(ConfigurationError, match=r"^observers must be a list or tuple"):
            kind(base_url=URL[group], **CREDENTIALS[group], observers=wrong)


@pytest.mark.parametrize(
    "wrong", [5, 0, None, "X-A: 1", [("X-A", "1")], b"x", True], ids=lambda value: repr(value).partition(" at ")[0]
)
def test_headers_are_a_mapping(wrong: Any, run: Run) -> None:
    client = run.client("billing", transport=Service())
    with pytest.raises(InvalidArgumentError, match=r"^headers must be a mapping"):
        client.with_options(headers=wrong)


@looped("wrong", [5, "yes", None, 0, 1.5, [1]])
@looped("name", ["timeouts", "retry", "limits", "wire_names", "trace", "deadline"])
def test_settings_of_a_wrong_type_are_refused(name: str, wrong: Any) -> None:
    if wrong is None and name != "trace":
        return  # the default
    if name == "deadline" and type(wrong) in (int, float) and wrong > 0:
        return  # seconds
    with pytest.raises(ConfigurationError, match=name):
        BLOCKING["billing"](base_url=URL["billing"], **CREDENTIALS["billing"], **{name: wrong})


@pytest.mark.parametrize("wrong", [5, "x", object(), [1]], ids=lambda value: type(value).__name__)
@pytest.mark.parametrize("name", ["ssl_context", "proxy", "transport", "environment"])
def test_connection_arguments_of_a_wrong_type_are_refused(name: str, wrong: Any) -> None:
    arguments = {"base_url": URL["billing"], **CREDENTIALS["billing"], name: wrong}
    with pytest.raises(ConfigurationError, match=name):
        BLOCKING["billing"](**arguments)


LISTS: dict[str, tuple[Group, Callable[..., Any]]] = {
    "cursor": ("billing", lambda client, **more: client.accounts.list(**more)),
    "offset": ("user_mgmt", lambda client, **more: client.accounts.list(**more)),
    "own path": ("billing", lambda client, **more: client.collection("/a", _account()).list(**more)),
}


def _account() -> Any:
    from subscribekit.models import Account

    return Account


@looped("list_name", LISTS)
@looped("wrong", ["yes", 1, 0, None])
def test_prefetch_is_a_boolean(list_name: str, wrong: Any, run: Run) -> None:
    group, call = LISTS[list_name]
    with pytest.raises(InvalidArgumentError, match="prefetch must be True or False"):
        run(group, lambda client: call(client, prefetch=wrong), transport=Service())


@looped("list_name", LISTS)
@looped("wrong", [5, b"x", ["x"], True])
def test_a_checkpoint_is_text(list_name: str, wrong: Any, run: Run) -> None:
    group, call = LISTS[list_name]
    with pytest.raises(InvalidArgumentError, match="checkpoint"):
        run(group, lambda client: call(client, checkpoint=wrong), transport=Service())
