"""Checks and iterates over the argument of `Run.add`, and explains how to correct an invalid argument."""

from collections.abc import AsyncIterable, AsyncIterator, Iterable
from inspect import iscoroutine
from typing import cast

from .._articles import with_article
from .._core.calls.prepared.prepared_request import PreparedRequest
from .._core.calls.response import Response
from .._sealed import Sealed
from ..errors import InvalidArgumentError
from ..models._base import Model

NEEDS_PAIRS = "requests must be pairs of a key and a prepared request"


def check_requests(requests: object, kinds: tuple[type, ...] = (Iterable,)) -> None:
    """Check that an argument of `add` is an iterable that can yield pairs of a key and a prepared request.

    Raises:
        InvalidArgumentError: The argument isn't iterable, or it's a dict, a model, a string, or bytes.
    """
    if not isinstance(requests, kinds) or _iterates_over_parts(requests):
        raise InvalidArgumentError(f"{NEEDS_PAIRS}, not {describe_argument(requests)}{_fix_for(requests)}")


def _iterates_over_parts(requests: object) -> bool:
    """Whether an object can be iterated, but yields its own keys, fields, or characters."""
    return isinstance(requests, dict | Model | str | bytes)


def _fix_for(requests: object) -> str:
    """Return a hint for the error text on how to correct an argument, or return an empty string."""
    if callable(requests):
        return "; call the function, for example add(jobs())"
    if isinstance(requests, AsyncIterable):
        return "; use AsyncRun to add requests from an async iterable"
    return "; write add([(key, request)])" if isinstance(requests, PreparedRequest | str | bytes) else ""


def describe_argument(found: object) -> str:
    """Describe an argument that isn't a prepared request, and warn if it may be the result of a call."""
    if iscoroutine(found):
        found.close()  # otherwise, Python warns that the coroutine was never awaited
        return "a call that was not awaited; nothing was sent. Replace client with client.prepare in the call"
    if _holds_requests(found):
        return f"{with_article(type(found))}; write add(requests.items())"
    name = "None" if found is None else with_article(type(found))
    if found is None or isinstance(found, Model | Response | dict):
        return (
            f"{name}. If this is the result of a call, the call was already carried out, and the ledger has no record "
            f"of it. Check the effect of the call before you add it again, and replace client with client.prepare"
        )
    return name


def _holds_requests(found: object) -> bool:
    if not isinstance(found, dict):
        return False
    values = cast("dict[object, object]", found).values()
    return bool(values) and all(isinstance(each, PreparedRequest) for each in values)


async def sealed_pairs(requests: Iterable[object] | AsyncIterable[object]) -> AsyncIterator[Sealed[object]]:
    """Iterate over the argument of `AsyncRun.add`, and hide each pair from tracebacks."""
    if isinstance(requests, AsyncIterable):
        async for pair in requests:
            yield Sealed(pair)
    else:
        for pair in requests:
            yield Sealed(pair)
