"""How the writes of the billing API are described: what to reconcile by, and whether money moves."""

from dataclasses import replace
from datetime import date, datetime
from typing import TypeVar

from .._core.operations.arguments import Pairs
from .._core.operations.bodies import body_of
from .._core.operations.operation import Operation, Safety, post
from ..errors import RequestError
from ..models._base import Model

R = TypeVar("R", bound=Model)


def submit(
    template: str,
    *values: str,
    body: Model,
    kind: type[Model],
    result: type[R],
    query: Pairs = (),
    empty: bool = False,
    moves_money: bool = False,
) -> Operation[R]:
    """Describe a POST with a body; after an unknown outcome the body's own id is what to look for.

    Args:
        template: Path template.
        values: The identifiers in the path.
        body: The argument `body` of the method.
        kind: The model that `body` must be.
        result: The model that is answered.
        query: Query pairs.
        empty: The answer is not shown, so one without a body is a success too (as E1).
        moves_money: Never repeat it once a byte has left (as E8): nothing makes a repetition harmless.
    """
    described = post(template, *values, body=body_of("body", body, kind), result=result, query=query, empty=empty)
    own: object = getattr(body, "id", None)
    return replace(
        described,
        safety=Safety.MONEY if moves_money else Safety.WRITE,
        reconcile_key=own if isinstance(own, str) else described.reconcile_key,
    )


def act(
    template: str,
    *values: str,
    result: type[R],
    query: Pairs = (),
    empty: bool = False,
    moves_money: bool = False,
) -> Operation[R]:
    """Describe a POST without a body, an action on what the path names; the arguments are those of `submit`."""
    described = post(template, *values, result=result, query=query, empty=empty)
    return replace(described, safety=Safety.MONEY) if moves_money else described


def day(name: str, value: date | None) -> str | None:
    """Write a day of the calendar as `YYYY-MM-DD`.

    Raises:
        RequestError: Not a date, or one with a time, whose day depends on the time zone.
    """
    if value is None:
        return None
    if not isinstance(value, date) or isinstance(value, datetime):
        raise RequestError(f"{name} must be a date without a time, not {type(value).__name__}")
    return value.isoformat()
