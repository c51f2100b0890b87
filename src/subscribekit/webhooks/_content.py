"""The content of a webhook, which no log, crash report, or notebook prints."""

from collections.abc import ItemsView, Iterator, KeysView, Mapping, ValuesView
from typing import ClassVar, TypeVar

from .._json import JSON
from ._masked import MaskedDict, masked_object

T = TypeVar("T")


class WebhookContent:
    """The data of a webhook event, by wire name.

    Use the content like a `dict`: `content["amount"]`, `content.get("amount")`, `"amount" in content`. `WebhookContent`
    isn't a `Mapping`, because crash reporters such as Sentry print the values of mappings. `repr` contains only names.
    To get a plain `dict`, for example for `json.dumps`, call `dict(content)`.

    Args:
        values: The received object, with `Decimal` values for fractional numbers. By default, the content is empty.
    """

    __slots__ = ("_values",)

    def __init__(self, values: "Mapping[str, JSON] | WebhookContent | None" = None) -> None:
        self._values: MaskedDict = masked_object({} if values is None else dict(values))

    def __getitem__(self, name: str) -> JSON:
        return self._values[name]

    def __contains__(self, name: object) -> bool:
        return name in self._values

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, WebhookContent):
            return self._values == other._values
        return self._values == other if isinstance(other, Mapping) else NotImplemented

    __hash__: ClassVar[None] = None  # type: ignore[assignment]  # the values may not be hashable

    def __repr__(self) -> str:
        return repr(self._values)

    def get(self, name: str, default: T | None = None) -> JSON | T:
        """Return the value of a name, or `default` if the content doesn't contain the name."""
        return self._values.get(name, default)

    def keys(self) -> KeysView[str]:
        """Return the names."""
        return self._values.keys()

    def values(self) -> ValuesView[JSON]:
        """Return the values."""
        return self._values.values()

    def items(self) -> ItemsView[str, JSON]:
        """Return the names and their values, as pairs."""
        return self._values.items()
