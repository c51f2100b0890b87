"""Prepares the request of a call, and returns the call of a prepared request. Sends nothing."""

from dataclasses import fields, is_dataclass
from enum import Enum
from importlib import import_module
from operator import attrgetter
from typing import Protocol, TypeAlias, TypeVar, cast

from ...._articles import with_article
from ...._sealed import Content, content_of, revealed
from ...._version import __version__
from ....errors import InvalidArgumentError
from ...http.headers import Headers
from ...operations.operation import Operation
from ..response import PreparedRequest
from ..settings import UNNAMED, Settings
from .prepared_call import PreparedCall, prepare_call

T = TypeVar("T")

_PACKAGE = "subscribekit"
_CREDENTIALS = frozenset({"authorization", "cookie", "x-api-key"})
"""Headers of the credential, which is that of the client that sends."""


def prepare(settings: Settings, operation: Operation[T], name: str) -> PreparedRequest[T]:
    """Prepare the first attempt of a call, with its credential masked."""
    settings.refuse_prepare(operation, name)
    return shown(settings, name, prepare_call(settings, operation, name))


def shown(settings: Settings, name: str, prepared: PreparedCall[T]) -> PreparedRequest[T]:
    """Show a request as it will be sent, its credential masked."""
    operation = prepared.operation
    raw = [*prepared.headers, *(prepared.trace.headers() if prepared.trace else ())]
    headers = [(name.decode("ascii"), value.decode("ascii")) for name, value in raw]
    credential = settings.credential.redacted()
    return PreparedRequest(
        operation=name,
        method=operation.method,
        url=prepared.origin + prepared.target,
        headers=Headers(headers + ([credential] if credential else [])),
        body=revealed(prepared.body),
        path_template=operation.template,
        _prepared=prepared,
    )


class _PreparedCall(Protocol):
    def __call__(self, request: PreparedRequest[T], /) -> PreparedCall[T] | None: ...


prepared_call: _PreparedCall = attrgetter("_prepared")
"""The call of a prepared request, for the SDK only."""


def prepared_of(settings: Settings, request: PreparedRequest[T]) -> PreparedCall[T]:
    """Return the call of a prepared request that this client may send.

    Raises:
        InvalidArgumentError: It isn't a prepared request, is of another group, base address, or environment, or was
            changed.
    """
    if not isinstance(request, PreparedRequest):
        raise InvalidArgumentError(
            f"send takes what client.prepare gives, such as client.prepare.accounts.create(...), not "
            f"{with_article(type(request))}"
        )
    prepared = prepared_call(request)
    if prepared is None:
        raise InvalidArgumentError(
            "a PreparedRequest that was built by hand cannot be sent, nor one that the preview of a run shows: "
            "client.prepare makes those that can, and a run sends its items itself"
        )
    if prepared.group != settings.group:
        raise InvalidArgumentError(f"the request is of the group {prepared.group}, and this client of {settings.group}")
    made_for = prepared.origin + prepared.prefix
    if made_for != settings.address.url:
        raise InvalidArgumentError(
            f"the request was prepared for {made_for}, and this client calls {settings.address.url}"
        )
    named = {prepared.environment, settings.environment} - {UNNAMED}
    if len(named) > 1:
        raise InvalidArgumentError(
            f"the request was prepared for the environment {prepared.environment!r}, and this client is of "
            f"{settings.environment!r}"
        )
    if not _shows(request, prepared):
        raise InvalidArgumentError("the PreparedRequest was modified; create it again with client.prepare")
    return prepared


def _shows(request: PreparedRequest[T], prepared: PreparedCall[T]) -> bool:
    """Return whether a prepared request, which may be a changed copy, shows the request that would be sent."""
    operation, headers = prepared.operation, request.headers
    shown = (request.operation, request.method, request.url, request.path_template)
    laid = (prepared.name, operation.method, prepared.origin + prepared.target, operation.template)
    if shown != laid or content_of(request.body) != prepared.body:
        return False
    traced = prepared.trace.headers() if prepared.trace else ()
    names = {name.decode().lower() for name, _ in [*prepared.headers, *traced]} | _CREDENTIALS
    kept = all(headers.get(name.decode()) == value.decode() for name, value in prepared.headers)
    return kept and names.issuperset(name.lower() for name in headers)


_Part: TypeAlias = tuple[str, str, object]
"""Module below the package (empty for the package itself), name, and content; a list represents a tuple."""


_FORM = 2
"""Version of the pickled form."""


def pickled(request: PreparedRequest[T]) -> tuple[str, str, int, object]:
    """Return the content of a pickle: the call's name, the SDK's version, the form's version, and the parts by name."""
    return request.operation, __version__, _FORM, _apart(request)


def unpickled(name: str, version: str, form: int, parts: object) -> PreparedRequest[object]:
    """Return the prepared request of a pickle.

    Raises:
        InvalidArgumentError: It was pickled in another form, or by a version with other parts. A part with another name
            or field might mean something else there, so nothing is guessed.
    """
    if form != _FORM:
        raise _unreadable(name, version, f"it has the form {form} instead of {_FORM}")
    try:
        request = _together(parts)
    except (ImportError, AttributeError, TypeError, ValueError) as error:
        raise _unreadable(name, version, str(error)) from None
    return cast("PreparedRequest[object]", request)


def _unreadable(name: str, version: str, reason: str) -> InvalidArgumentError:
    return InvalidArgumentError(
        f"the prepared request of {name} was pickled by subscribekit {version} and can't be read by {__version__} "
        f"({reason}); nothing was sent. Create it again with client.prepare"
    )


def _apart(value: object) -> object:
    """Return plain values for the parts, by name, because their own pickles depend on the order of fields."""
    kind = type(value)
    package, _, module = kind.__module__.partition(".")
    if isinstance(value, tuple):
        return [_apart(each) for each in cast("tuple[object, ...]", value)]
    if isinstance(value, type):
        is_model = value.__module__.startswith(f"{_PACKAGE}.models.")
        return ("models", value.__name__, None) if is_model else value
    if package != _PACKAGE:
        return value
    if isinstance(value, Headers):
        return module, kind.__name__, [[*pair] for pair in value.items()]
    if isinstance(value, Content):
        return module, kind.__name__, value.reveal()
    if isinstance(value, Enum):
        return module, kind.__name__, value.value
    if is_dataclass(value):
        return module, kind.__name__, {each.name: _apart(getattr(value, each.name)) for each in fields(value)}
    return value


def _together(part: object) -> object:
    if isinstance(part, list):
        return tuple(_together(each) for each in cast("list[object]", part))
    if not isinstance(part, tuple):
        return part
    module, name, held = cast("_Part", part)
    kind: object = getattr(import_module(f"{_PACKAGE}.{module}".removesuffix(".")), name)
    if held is None:
        return kind
    if not isinstance(kind, type):
        raise TypeError(f"{name} isn't a part of a prepared request")
    if not isinstance(held, dict):
        return kind(_together(held))
    values = {str(each): _together(value) for each, value in cast("dict[str, object]", held).items()}
    if not is_dataclass(kind) or {each.name for each in fields(kind)} != values.keys():
        raise TypeError(f"{name} has other fields")
    return kind(**values)
