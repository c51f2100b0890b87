"""How the writes of the billing API are described: what to reconcile by, and whether money moves."""

from datetime import date, datetime
from typing import TypeVar

from .._core.operations.arguments import Pairs
from .._core.operations.bodies import body_of
from .._core.operations.operation import Operation, PostSafety, Safety, post
from ..errors import RequestError
from ..models._base import Model

R = TypeVar("R", bound=Model)


def submit(
    template: str,
    *values: str,
    body: Model,
    kind: type[Model],
    result: type[R],
    safety: PostSafety,
    query: Pairs = (),
    empty: bool = False,
) -> Operation[R]:
    """Describe a POST with a body; after an unknown outcome the body's own id is what to look for.

    Args:
        template: Path template.
        values: The identifiers in the path.
        body: The argument `body` of the method.
        kind: The model that `body` must be.
        result: The model that is answered.
        safety: Whether the call moves money.
        query: Query pairs.
        empty: The response is not shown, so one without a body is a success too (as E1).
    """
    encoded = body_of("body", body, kind)
    own: object = getattr(body, "id", None)
    return post(
        template,
        *values,
        result=result,
        safety=safety,
        body=encoded,
        query=query,
        empty=empty,
        reconcile_key=own if isinstance(own, str) else None,
        is_compared=True,
    )


def money_if(moves: bool) -> PostSafety:
    """Give the class of a call that moves money only with certain arguments."""
    return Safety.MONEY if moves else Safety.WRITE


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
