"""Converts the arguments of an operation to arguments and options of a command, and parses what the user typed."""

from __future__ import annotations

import inspect
import re
from collections.abc import Mapping, Sequence
from datetime import date, datetime
from types import NoneType, UnionType
from typing import Annotated, Literal, TypeVar, Union, get_args, get_origin

import typer

from ... import models
from ..._core.config.unset import Unset
from ...models import Model
from ..output.nested import items_of
from .bodies import document, model, read_text
from .catalogue import Entry, Parameter
from .docstrings import arguments_of

RENAMED = {"limit": "page-size", "size": "page-size", "params": "param"}
"""Arguments whose command-line option has a different name. The option for the page size isn't `--limit`, because
`--limit` sets the number of items."""

_WHOLE = re.compile(r"[+-]?[0-9]{1,18}")
LARGEST_PAGE = 100


def page_size_of(entry: Entry) -> str:
    """Return the name of the argument for the page size of a list."""
    return "limit" if any(each.name == "limit" for each in entry.parameters) else "size"


def options(entry: Entry) -> list[inspect.Parameter]:
    """Return the parameters of the command for an operation."""
    sentences = arguments_of(entry.call.__doc__)
    if entry.factory is not None:
        sentences = {**arguments_of(entry.factory.__doc__), **sentences}
    return [_parameter(each, sentences.get(each.name, "")) for each in entry.parameters]


def _parameter(wanted: Parameter, sentence: str) -> inspect.Parameter:
    kinds = _kinds(wanted.hint)
    hint: object = str if wanted.is_required else str | None
    default: object = inspect.Parameter.empty if wanted.is_required else None
    if bool in kinds:
        name = _option(wanted)
        info = typer.Option(f"{name}/--no-{name.removeprefix('--')}", help=sentence, show_default=False)
        hint, default = bool | None, None
    elif _is_params(kinds):
        info = typer.Option("--param", metavar="NAME=VALUE", help=f"{sentence} Repeatable.")
        hint, default = list[str] | None, None
    elif (wanted.is_positional or (wanted.is_required and not wanted.is_keyword)) and not _is_json(wanted):
        info = typer.Argument(help=sentence, metavar=wanted.name.upper())
    else:
        info = typer.Option(_option(wanted), metavar=_metavar(wanted, kinds), help=_with_choices(sentence, kinds))
    annotation: object = Annotated[hint, info]
    return inspect.Parameter(wanted.name, inspect.Parameter.KEYWORD_ONLY, annotation=annotation, default=default)


def _kinds(hint: object) -> tuple[object, ...]:
    """Return the types of an argument, without `None` and `Unset`."""
    members = get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)
    return tuple(each for each in members if each is not NoneType and each is not Unset)


def _is_params(kinds: Sequence[object]) -> bool:
    return len(kinds) == 1 and get_origin(kinds[0]) is Mapping


def _is_model(kinds: Sequence[object]) -> bool:
    return any(isinstance(each, TypeVar) or (isinstance(each, type) and issubclass(each, Model)) for each in kinds)


def _is_json(wanted: Parameter) -> bool:
    return wanted.name == "json" or _is_model(_kinds(wanted.hint))


def _option(wanted: Parameter) -> str:
    """Return the command-line option of an argument, which is `--body` if the argument is a model or JSON."""
    name = RENAMED.get(wanted.name, wanted.name.replace("_", "-"))
    return "--body" if _is_json(wanted) else f"--{name}"


def _metavar(wanted: Parameter, kinds: Sequence[object]) -> str:
    if _is_json(wanted):
        return "JSON|@FILE|-"
    if int in kinds and str not in kinds:
        return "NUMBER"
    if datetime in kinds:
        return "TIME"
    return "DATE" if date in kinds else "TEXT"


def _with_choices(sentence: str, kinds: Sequence[object]) -> str:
    choices = [str(choice) for each in kinds if get_origin(each) is Literal for choice in get_args(each)]
    return f"{sentence} Documented: {', '.join(choices)}." if choices else sentence


def values(
    entry: Entry, given: Mapping[str, object]
) -> tuple[dict[str, object], dict[str, object], type[Model] | None]:
    """Convert the values that the user typed.

    Returns:
        The arguments of the resource, the arguments of the operation, and the model of the result.

    Raises:
        typer.BadParameter: A value has the wrong format for its argument.
    """
    of_resource: dict[str, object] = {}
    call: dict[str, object] = {}
    kind = entry.item
    for wanted in entry.parameters:
        text = given.get(wanted.name)
        if text is None or text == []:
            continue
        value = _value(wanted, text, kind)
        if wanted.name in ("model", "item", "result") and isinstance(value, type) and issubclass(value, Model):
            kind = value
        (of_resource if wanted.is_of_resource else call)[wanted.name] = value
    return of_resource, call, kind


def _value(wanted: Parameter, given: object, kind: type[Model] | None) -> object:
    option = wanted.name.upper() if wanted.is_required and not wanted.is_keyword else _option(wanted)
    kinds = _kinds(wanted.hint)
    if isinstance(given, bool):
        return given
    if (several := items_of(given)) is not None:
        return _params(several)
    text = str(given)
    if _is_json(wanted):
        return _body(option, kinds, read_text(option, text), kind)
    if any(get_origin(each) is type for each in kinds):
        return _class(option, text)
    if int in kinds and str not in kinds:
        return _number(option, text)
    if datetime in kinds or date in kinds:
        return _timestamp(option, text, with_time=datetime in kinds)
    return text


def _body(option: str, kinds: Sequence[object], text: str, kind: type[Model] | None) -> object:
    wanted = next((each for each in kinds if isinstance(each, type) and issubclass(each, Model)), kind)
    if wanted is None or Mapping in map(get_origin, kinds):  # `request` accepts any body
        return document(option, text)
    return model(option, wanted, text)


def _number(option: str, text: str) -> int:
    if not _WHOLE.fullmatch(text):
        raise typer.BadParameter("the value must be a whole number, such as 50", param_hint=option)
    return int(text)


def _timestamp(option: str, text: str, *, with_time: bool) -> datetime | date:
    try:
        value = datetime.fromisoformat(text) if with_time else date.fromisoformat(text)
    except ValueError:
        example = "a time such as 2026-03-01T12:00:00Z" if with_time else "a date such as 2026-03-01"
        raise typer.BadParameter(f"must be {example}", param_hint=option) from None
    if isinstance(value, datetime) and value.tzinfo is None:
        raise typer.BadParameter("the time must have a time zone, as in 2026-03-01T12:00:00Z", param_hint=option)
    return value


def _params(given: Sequence[object]) -> dict[str, str | list[str]]:
    found: dict[str, list[str]] = {}
    for each in given:
        name, separator, value = str(each).partition("=")
        if not separator or not name:
            raise typer.BadParameter("must be NAME=VALUE", param_hint="--param")
        found.setdefault(name, []).append(value)
    return {name: texts[0] if len(texts) == 1 else texts for name, texts in found.items()}


def _class(option: str, name: str) -> type[Model] | type[dict[str, object]] | type[list[object]]:
    """Return the model class with this name. The option `--result` also accepts `dict` and `list`, for plain JSON."""
    if option == "--result" and name in ("dict", "list"):
        return dict if name == "dict" else list
    kind = getattr(models, name, None) if name in models.__all__ else None
    if not isinstance(kind, type) or not issubclass(kind, Model) or kind is Model:
        raise typer.BadParameter(
            f"there's no model {name!r}. Use a class name of subscribekit.models, such as Account", param_hint=option
        )
    return kind
