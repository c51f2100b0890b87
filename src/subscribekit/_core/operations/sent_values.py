"""The parts of a request body that an unknown outcome keeps: keyed digests, to be compared with what a resource shows.

The key is drawn for each error and travels with it, so digests of two errors cannot be compared with each other. It
does not hide a value of few possibilities from a holder of the error that tries them all; therefore what stands
for an instrument or a secret (card and bank numbers, security codes, phone numbers) is not digested at all.
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
"""Names and texts: what an unknown outcome carries."""

MAX_VALUES = 300
"""Values of a body that are kept; a larger body is compared in part only, and so never counts as shown whole."""

HIDDEN, NULL, NO_ITEMS, NO_FIELDS = "-", "null", "[]", "{}"
_SECRET = frozenset({
    "account", "account_identifier", "cvn", "customer_identifier", "encoded_phone_number", "financial_account",
    "fiscal_number", "hash", "iban", "local_number", "number", "phone_number", "raw_input", "token",
    "verification_code",
})  # fmt: skip
_IDENTITY = frozenset({"object", "id", "vid", "created", "url"})
_ADDED_TO = frozenset({"items", "payment_methods"})
"""Lists of an update that add to what is there; other lists replace it."""
_MASKED = re.compile(r"\*|[xX]{3,}")
_DAY = re.compile(r"\d{4}-\d\d-\d\d(?=T|$)")
_TIMESTAMP = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d.*")

Tree: TypeAlias = "str | dict[str, Tree]"


class Digester:
    """Makes digests under one key."""

    def __init__(self, key: bytes) -> None:
        self._key = key

    def of(self, kind: str, text: str) -> str:
        """Give the digest of a text of one kind."""
        data = text.encode("utf-8", "surrogatepass")
        return f"{kind}:{blake2b(data, key=self._key, digest_size=6, person=kind.encode()).hexdigest()}"

    def forms(self, value: str | bool | int | Decimal) -> list[str]:
        """Give the digests of all forms in which a service may show a value: 4.90 as 4.9, a time in UTC."""
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
    """Write a text so that its usual spellings are equal: case, spaces, punctuation."""
    folded = normalize("NFKC", text).casefold()
    return "".join(filter(str.isalnum, folded)) or folded


def plain(value: int | Decimal) -> str:
    """Write a number so that equal ones are equal texts."""
    text = format(Decimal(value), "f")
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if text in ("-0", "") else text


def timestamp(text: object) -> datetime | None:
    """Read an ISO 8601 time with its zone, in UTC; `None` for anything else."""
    if not isinstance(text, str) or not _TIMESTAMP.fullmatch(text):
        return None
    try:
        read = datetime.fromisoformat(text)
        return None if read.tzinfo is None else read.astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def digests(fields: Mapping[str, JSON], key: bytes) -> Iterator[tuple[str, str]]:
    """Give place and digests of every value of a body, its identity left out."""
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
            # Keys of metadata are the caller's own and may say something.
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
    """How a resource compares with what was sent.

    Attributes:
        same: Values that it shows.
        empty: Values that were sent empty, of which it shows none.
        different: Places at which it shows something else.
        hidden: Places that it does not show, or shows in a form that proves nothing.
    """

    same: int = 0
    empty: int = 0
    different: list[str] = field(default_factory=list[str])
    hidden: list[str] = field(default_factory=list[str])

    @property
    def is_whole(self) -> bool:
        """Whether every value that was sent is shown."""
        return not self.different and not self.hidden and self.same + self.empty > 0


def compare(sent: Mapping[str, str], key: bytes, shown: JSON) -> Comparison:
    """Compare a resource with the digests of what was sent."""
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
        """Compare a reference: either of id and vid may be used wherever a resource is referred to."""
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
            # Text against text: a number in a text is compared as text, a time as the instant that it is.
            exact = [each for each in exact if each.startswith(("t:", "d:"))]
        if set(exact) & set(sent):
            found.same += 1
        elif set(forms) & set(sent) or (isinstance(shown, str) and _MASKED.search(shown)):
            found.hidden.append(place)  # another spelling, or masked
        else:
            found.different.append(place)

    def _items(self, sent: list[Tree], shown: JSON, place: str, found: Comparison) -> None:
        """Compare a list in any order; each sent item needs a separate shown one."""
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
            found.hidden.append(place)  # shows more than was sent: the list may not have been replaced
