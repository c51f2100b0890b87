"""Errors for arguments of `add` that aren't pairs of a key and a prepared request."""

from collections.abc import AsyncIterable, Iterable
from inspect import iscoroutine
from typing import cast

from .._articles import with_article
from .._core.calls.prepared.prepared_request import PreparedRequest
from .._core.calls.response import Response
from ..errors import InvalidArgumentError
from ..models._base import Model

TAKES_PAIRS = "add takes pairs of a key and a prepared request"


def refuse_other_than_pairs(requests: object, kinds: tuple[type, ...] = (Iterable,)) -> None:
    """Check that what is to be added can be iterated over, and gives pairs when it is.

    Raises:
        InvalidArgumentError: It cannot, or gives something else, as a dict and a model do.
    """
    if not isinstance(requests, kinds) or _is_no_stream(requests):
        raise InvalidArgumentError(f"{TAKES_PAIRS}, not {kind_of(requests)}{_instead_of(requests)}")


def _is_no_stream(requests: object) -> bool:
    """Whether something that can be iterated over gives its keys, fields or characters."""
    return isinstance(requests, dict | Model | str | bytes)


def _instead_of(requests: object) -> str:
    """Say what to write; nothing where `kind_of` has said it."""
    if callable(requests):
        return ": call it, and write add(jobs())"
    if isinstance(requests, AsyncIterable):
        return ": only AsyncRun takes what is async"
    return ": write add([(key, request)])" if isinstance(requests, PreparedRequest | str | bytes) else ""


def kind_of(found: object) -> str:
    """Name the argument that isn't a prepared request, and say if it's the result of a call that was carried out."""
    if iscoroutine(found):
        found.close()  # it would be reported as never awaited besides
        return "a call that is not awaited: nothing was sent. Write client.prepare in front of it"
    if _holds_requests(found):
        return f"{with_article(type(found))}: write add(requests.items())"
    told = "None" if found is None else with_article(type(found))
    if found is None or isinstance(found, Model | Response | dict):
        return (
            f"{told}. If that is the result of a call, the call WAS carried out, and the ledger knows nothing of it: "
            f"look what it did before you add it again, and write client.prepare in front of it"
        )
    return told


def _holds_requests(found: object) -> bool:
    if not isinstance(found, dict):
        return False
    values = cast("dict[object, object]", found).values()
    return bool(values) and all(isinstance(each, PreparedRequest) for each in values)
