"""Errors for `add` arguments that are not pairs of a key and a plan."""

from collections.abc import AsyncIterable, Iterable
from inspect import iscoroutine
from typing import cast

from .._articles import with_article
from .._core.calls.prepared.prepared_request import PreparedRequest
from .._core.calls.response import Response
from ..errors import InvalidArgumentError
from ..models._base import Model


def refuse_other_than_pairs(plans: object, kinds: tuple[type, ...] = (Iterable,)) -> None:
    """Check that what is to be added can be iterated over, and gives pairs when it is.

    Raises:
        InvalidArgumentError: It cannot, or gives something else, as a dict and a model do.
    """
    if not isinstance(plans, kinds) or _is_no_stream(plans):
        raise InvalidArgumentError(f"add takes pairs of a key and a plan, not {kind_of(plans)}{_instead_of(plans)}")


def _is_no_stream(plans: object) -> bool:
    """Whether something that can be iterated over gives its keys, fields or characters."""
    return isinstance(plans, dict | Model | str | bytes)


def _instead_of(plans: object) -> str:
    """Say what to write; nothing where `kind_of` has said it."""
    if callable(plans):
        return ": call it, and write add(jobs())"
    if isinstance(plans, AsyncIterable):
        return ": only AsyncRun takes what is async"
    return ": write add([(key, plan)])" if isinstance(plans, PreparedRequest | str | bytes) else ""


def kind_of(found: object) -> str:
    """Name the argument in place of a plan, and that a call was carried out whose result it is."""
    if iscoroutine(found):
        found.close()  # it would be reported as never awaited besides
        return "a call that is not awaited: nothing was sent. Write client.prepare in front of it"
    if _holds_plans(found):
        return f"{with_article(type(found))}: write add(plans.items())"
    told = "None" if found is None else with_article(type(found))
    if found is None or isinstance(found, Model | Response | dict):
        return (
            f"{told}. If that is the result of a call, the call WAS carried out, and the ledger knows nothing of it: "
            f"look what it did before you add it again, and write client.prepare in front of it"
        )
    return told


def _holds_plans(found: object) -> bool:
    if not isinstance(found, dict):
        return False
    values = cast("dict[object, object]", found).values()
    return bool(values) and all(isinstance(each, PreparedRequest) for each in values)
