"""Keyed digests of the values in a request body, with which `resolve` compares a resource after an unknown outcome.

Each error has its own random key, so that the digests of two errors can't be compared. The error contains the key, so
a reader of the error could find out the value of a short field by trying all possible values. The SDK therefore creates
no digests of card and bank numbers, security codes, phone numbers, and other secrets.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from decimal import Decimal
from hashlib import blake2b
from typing import TypeAlias
from unicodedata import normalize

from ..._json import JSON
from .identity import identifier_in

TextPairs: TypeAlias = tuple[tuple[str, str], ...]
"""Entries of the record of a call with an unknown outcome, as pairs of names and values."""

MAX_VALUES = 300
"""Maximum number of values in a body for which the SDK creates digests. `resolve` can't compare the other values."""

HIDDEN, NULL, NO_ITEMS, NO_FIELDS = "-", "null", "[]", "{}"
_SECRET = frozenset({
    "account", "account_identifier", "cvn", "customer_identifier", "encoded_phone_number", "financial_account",
    "fiscal_number", "hash", "iban", "local_number", "number", "phone_number", "raw_input", "token",
    "verification_code",
})  # fmt: skip
_IDENTITY = frozenset({"object", "id", "vid", "created", "url"})
_ADDED_TO = frozenset({"items", "payment_methods"})
"""The lists to which an update adds elements. Any other list in an update replaces the resource's existing list."""
_MASKED = re.compile(r"\*|[xX]{3,}")
_DAY = re.compile(r"\d{4}-\d\d-\d\d(?=T|$)")
_TIMESTAMP = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d.*")

Tree: TypeAlias = "str | dict[str, Tree]"


class Digester:
    """Creates digests of values with one key."""

    def __init__(self, key: bytes) -> None:
        self._key = key

    def of(self, kind: str, text: str) -> str:
        """Return the digest of a string, with the kind of the value as a prefix."""
        data = text.encode("utf-8", "surrogatepass")
        return f"{kind}:{blake2b(data, key=self._key, digest_size=6, person=kind.encode()).hexdigest()}"

    def forms(self, value: str | bool | int | Decimal) -> list[str]:
        """Return the digests of all forms in which a service may return a value, such as 4.9 instead of 4.90."""
        if isinstance(value, bool):
            return [self.of("n", str(int(value)))]
        if isinstance(value, int | Decimal):
            return [self.of("n", plain(value)), self.of("t", str(value))]
        found = [self.of("t", value), self.of("f", _folded(value))]
        if (day := _DAY.match(value)) is not None:
            found.append(self.of("f", day[0]))
        if (instant := timestamp(value)) is not None:
            found += [self.of("d", instant.isoformat()), self.of("f", instant.date().isoformat())]
        elif re.fullmatch(r"-?(0|[1-9]\d{0,27})(\.\d{1,27})?", value):
            found.append(self.of("n", plain(Decimal(value))))
        elif value.casefold() in ("true", "false"):
            found.append(self.of("n", str(int(value.casefold() == "true"))))
        return found


def _folded(text: str) -> str:
    """Normalize a string, so that strings that differ only in case, spaces, or punctuation are equal."""
    folded = normalize("NFKC", text).casefold()
    return "".join(filter(str.isalnum, folded)) or folded


def plain(value: int | Decimal) -> str:
    """Format a number, so that equal numbers have equal strings."""
    text = format(Decimal(value), "f")
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if text in ("-0", "") else text


def timestamp(text: object) -> datetime | None:
    """Parse an ISO 8601 time with a time zone, and return it in UTC. If `text` isn't such a time, return `None`."""
    if not isinstance(text, str) or not _TIMESTAMP.fullmatch(text):
        return None
    try:
        read = datetime.fromisoformat(text)
        return None if read.tzinfo is None else read.astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def digests(fields: Mapping[str, JSON], key: bytes) -> Iterator[tuple[str, str]]:
    """Yield the path and the digests of each value in a body, except the fields that identify the resource."""
    digester = Digester(key)
    for count, (place, leaf) in enumerate(
        _leaves({name: each for name, each in fields.items() if name not in _IDENTITY}, "", digester)
    ):
        if count == MAX_VALUES:
            yield "...", HIDDEN
            return
        yield place, leaf


def _leaves(value: JSON, place: str, digester: Digester) -> Iterator[tuple[str, str]]:
    name = place.rpartition("/")[2]
    if isinstance(value, dict):
        if not value and place:
            yield place, NO_FIELDS
        for key, each in value.items():
            if key == "object":
                continue
            # Callers choose the metadata keys, so the keys may contain sensitive information.
            part = f"~{digester.of('k', key)}" if name == "metadata" else key.replace("~", "~0").replace("/", "~1")
            yield from _leaves(each, f"{place}/{part}" if place else part, digester)
    elif isinstance(value, list):
        if not value:
            yield place, NO_ITEMS
        for index, each in enumerate(value):
            yield from _leaves(each, f"{place}/#{index}", digester)
    elif value is None:
        yield place, NULL
    else:
        yield place, HIDDEN if name in _SECRET else ",".join(digester.forms(value))


@dataclass(slots=True, eq=False, repr=False)
class Comparison:
    """The result of comparing a resource with the values that were sent.

    Attributes:
        same: Number of sent values that the resource contains.
        empty: Number of empty values in the request that are also empty or missing in the resource.
        different: Paths at which the resource contains a different value than the request.
        hidden: Paths at which the resource has no value, or has a value in a form that can't be compared.
    """

    same: int = 0
    empty: int = 0
    different: list[str] = field(default_factory=list[str])
    hidden: list[str] = field(default_factory=list[str])

    @property
    def is_whole(self) -> bool:
        """Whether the resource contains every value that was sent."""
        return not self.different and not self.hidden and self.same + self.empty > 0


def compare(sent: Mapping[str, str], key: bytes, shown: JSON) -> Comparison:
    """Compare a resource with the digests of the values that were sent."""
    found = Comparison()
    if isinstance(shown, dict):
        _Comparing(Digester(key)).fields(_tree(sent), shown, "", found)
    return found


def _tree(sent: Mapping[str, str]) -> dict[str, Tree]:
    root: dict[str, Tree] = {}
    for place, leaf in sent.items():
        *parents, name = place.split("/")
        here = root
        for part in parents:
            below = here.setdefault(part, {})
            here = below if isinstance(below, dict) else {}
        here[name] = leaf
    return root


class _Comparing:
    def __init__(self, digester: Digester) -> None:
        self._digester = digester

    def fields(self, sent: dict[str, Tree], shown: dict[str, JSON], place: str, found: Comparison) -> None:
        for part, node in sent.items():
            name = part.replace("~1", "/").replace("~0", "~")
            if part.startswith("~k:"):
                name = next((each for each in shown if f"~{self._digester.of('k', each)}" == part), part)
            here = f"{place}.{part}" if place else part
            if name in ("id", "vid") and isinstance(node, str):
                self._identifier(node, shown, here, found)
            else:
                self._node(node, shown.get(name), here, found)

    def _identifier(self, leaf: str, shown: dict[str, JSON], place: str, found: Comparison) -> None:
        """Compare a sent reference, which may contain the `id` or the `vid` of the referenced resource."""
        names = [each for each in map(identifier_in, (shown.get("id"), shown.get("vid"))) if each is not None]
        if any(self._digester.of("t", each) in leaf.split(",") for each in names):
            found.same += 1
        elif len(names) == 2:
            found.different.append(place)
        else:
            found.hidden.append(place)

    def _node(self, sent: Tree, shown: JSON, place: str, found: Comparison) -> None:
        if isinstance(shown, dict) and shown.get("object") == "List" and isinstance(shown.get("data"), list):
            shown = shown["data"]
        if isinstance(sent, str):
            self._leaf(sent, shown, place, found)
        elif next(iter(sent)).startswith("#"):
            self._items([sent[each] for each in sent], shown, place, found)
        elif isinstance(shown, dict):
            self.fields(sent, shown, place, found)
        else:
            found.hidden.append(place)

    def _leaf(self, leaf: str, shown: JSON, place: str, found: Comparison) -> None:
        if leaf in (NULL, NO_ITEMS, NO_FIELDS):
            if shown in (None, "", [], {}):
                found.empty += 1
            else:
                (found.different if leaf != NO_FIELDS else found.hidden).append(place)
            return
        if leaf == HIDDEN or shown is None or isinstance(shown, dict | list):
            found.hidden.append(place)
            return
        sent = leaf.split(",")
        forms = self._digester.forms(shown)
        exact = [each for each in forms if not each.startswith("f:")]
        if isinstance(shown, str) and any(each.startswith("f:") for each in sent):
            # If both values are strings, compare them as texts and as timestamps, but not as numbers, because the
            # strings "1.10" and "1.1" aren't equal.
            exact = [each for each in exact if each.startswith(("t:", "d:"))]
        if set(exact) & set(sent):
            found.same += 1
        elif set(forms) & set(sent) or (isinstance(shown, str) and _MASKED.search(shown)):
            found.hidden.append(place)  # the values differ only in spelling, or the resource's value is masked
        else:
            found.different.append(place)

    def _items(self, sent: list[Tree], shown: JSON, place: str, found: Comparison) -> None:
        """Compare two lists, regardless of order. An item of the resource can match only one of the sent items."""
        if not isinstance(shown, list):
            found.hidden.append(place)
            return
        left = list(shown)
        for index, node in enumerate(sent):
            best: tuple[int, Comparison] | None = None
            for at, each in enumerate(left):
                one = Comparison()
                self._node(node, each, f"{place}[{index}]", one)
                rank = (bool(one.different), bool(one.hidden))
                if best is None or rank < (bool(best[1].different), bool(best[1].hidden)):
                    best = at, one
            if best is None or best[1].different:
                found.different.append(f"{place}[{index}]")
                continue
            found.same += best[1].same
            found.empty += best[1].empty
            found.hidden += best[1].hidden
            del left[best[0]]
        if left and place.rpartition(".")[2] not in _ADDED_TO and not found.different:
            # The resource has items that weren't sent, so the update may not have replaced the list.
            found.hidden.append(place)
