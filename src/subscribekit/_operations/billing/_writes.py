"""Describes the writes of the billing API, with their reconcile keys and safety classes."""

from dataclasses import replace
from datetime import date, datetime
from typing import TypeVar

from ..._core.operations.arguments import Pairs
from ..._core.operations.bodies import body_of
from ..._core.operations.identity import created, has_form_of_vid, named, versioned
from ..._core.operations.operation import Operation, PostSafety, Safety, post
from ...errors import InvalidArgumentError
from ...models._base import Model

R = TypeVar("R", bound=Model)


def submit(
    template: str,
    *values: str,
    body: Model,
    result: type[R],
    safety: PostSafety,
    query: Pairs = (),
    is_shown: bool = True,
    is_versioned: bool = False,
    refers_by: str | None = None,
    is_dry_run: bool = False,
) -> Operation[R]:
    """Return the operation of a POST with a body. The operation's reconcile key is the `id` of the body.

    If the body of an update contains an identifier, the path must identify the same resource, so that no other
    customer's data changes.

    Args:
        template: The template of the path.
        values: The identifiers in the path.
        body: The argument `body` of the client's method.
        result: The model of the response, and of `body`.
        safety: The safety class.
        query: Query pairs.
        is_shown: Whether the response is documented. A documented response must identify the resource. If `False`, as
            for `payments.reverse` (E1), the SDK accepts a response without an identifier, but rejects a response that
            identifies a different resource of the same kind.
        is_versioned: Whether the response may contain a new vid, so that the SDK doesn't compare the vid.
        refers_by: The field of the body that can refer to the resource in the path, such as `transaction` for a refund.
        is_dry_run: Whether the call is a dry run, for which the service stores nothing.

    Raises:
        InvalidArgumentError: An argument is invalid, or the path and the body identify different resources.
    """
    encoded = body_of("body", body, result)
    own: object = getattr(body, "id", None)
    is_update = template.endswith("}")
    vid: object = getattr(body, "vid", None)
    if is_update:
        named_by = versioned(values[-1], own) if is_versioned else named(values[-1], own, vid)
    else:
        named_by = named(vid) if refers_by is not None and own is None else created(own)
    described = post(
        template,
        *values,
        result=result,
        safety=safety,
        body=encoded,
        query=query,
        identity=named_by if is_shown else replace(named_by, is_required=False),
        reconcile_key=own if isinstance(own, str) else None,
        is_compared=True,
        is_dry_run=is_dry_run,
    )
    if refers_by is not None:
        same_resource(f"body.{refers_by}", values[-1], getattr(body, refers_by))
    elif is_update:
        same_resource("body", values[-1], body)
    return described


def same_resource(name: str, identifier: str, model: Model | None) -> None:
    """Raise an error if the model and the path identify different resources.

    If the path contains a `vid` and the model contains only an `id`, the function can't compare them, and raises no
    error.

    Raises:
        InvalidArgumentError: The path and the model identify different resources.
    """
    own, vid = getattr(model, "id", None), getattr(model, "vid", None)
    named = [each for each in (own, vid) if isinstance(each, str)]
    if not named or identifier in named or (vid is None and has_form_of_vid(identifier)):
        return
    field = "id" if isinstance(own, str) else "vid"
    raise InvalidArgumentError(
        f"{name}.{field} is {named[0]!r}, but the call names {identifier!r}; pass the same identifier in "
        "the body and in the method's arguments"
    )


def money_if(moves: bool) -> PostSafety:
    """Return the safety class of a call that moves money only with certain arguments."""
    return Safety.MONEY if moves else Safety.WRITE


def day(name: str, value: date | None) -> str | None:
    """Format a date as `YYYY-MM-DD`.

    Raises:
        InvalidArgumentError: The value isn't a date, or is a `datetime`, whose date depends on the time zone.
    """
    if value is None:
        return None
    if not isinstance(value, date) or isinstance(value, datetime):
        raise InvalidArgumentError(
            f"{name} must be a date without a time, not {type(value).__name__}; pass a value such as date(2026, 3, 15)"
        )
    return value.isoformat()
