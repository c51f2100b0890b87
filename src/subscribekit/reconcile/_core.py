"""The shared part of sync and async comparisons. Sends nothing."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Generic, TypeVar, cast

from .._core.calls.driver import EitherDriver
from .._core.client.resources import driver_of
from .._core.lists.listing import Listing
from .._core.lists.pager import BasePager, listing_of, name_of
from .._core.operations.arguments import whole_number
from .._core.operations.readers import Page
from .._core.resolving.case import is_own_response
from .._csv import without_apostrophe
from .._shown import MASK
from ..errors import InvalidArgumentError, NotFoundError
from ..models._base import Model
from ..models._fields import identity_of
from ..models._identifiers import MAX_IDENTIFIER, fits_a_path
from ._difference import Counts, Difference, Kind
from ._fields import Comparison, Fields, Place
from ._progress import ListDisplay
from ._rows import BATCH, Row
from ._store import ReconcileError, Store
from ._values import RefusedValueError, packed, unpacked

M = TypeVar("M", bound=Model)
D = TypeVar("D", bound=EitherDriver)
R = TypeVar("R")
_PAGE = 100
_MOST_AT_ONCE = 64
_OPEN = "FROM open LEFT JOIN local USING (key) LEFT JOIN remote USING (key) WHERE open.kind IS NULL AND {condition}"
_CHANGED = "changed_meanwhile"


@dataclass(frozen=True, slots=True)
class Candidate:
    """A key for which `compare` found a difference."""

    key: str
    row: list[object] | None
    identity: str | None


class Core(Generic[M, D, R]):
    """One comparison. `R` is the result of `retrieve`, which is a resource or an awaitable resource.

    Attributes:
        listing: The service's list, read from the first item.
        driver: The driver of the list's client.
        name: The SDK name of the list.
        concurrency: The number of resources that are retrieved in parallel.
        store: The file.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        pager: BasePager[M, D],
        key: str,
        fields: Fields,
        *,
        compare_scale: bool,
        concurrency: int,
        resources: Callable[[D], object],
    ) -> None:
        listing: Listing[M] = listing_of(pager)
        if listing.max_pages is not None or listing.start.cursor or listing.start.taken:
            raise InvalidArgumentError(
                "pager must read the whole list; leave out max_pages, checkpoint, starting_after, ending_before, "
                "and offset"
            )
        self.driver: D = driver_of(pager)
        self.name, self._resources = name_of(pager), resources
        self._turn = 0
        self.concurrency = whole_number("concurrency", concurrency, 1, _MOST_AT_ONCE)
        self._comparison = Comparison(listing.item, key, fields, compare_scale=compare_scale)
        self._has_identity_as_key = key in ("id", "vid")
        if listing.direction == "offset":
            listing = replace(listing, size=listing.size or _PAGE)
        else:
            listing = replace(listing, limit=listing.limit or str(_PAGE))
        # Don't prefetch pages, so that a crash loses at most one page.
        self.listing = replace(listing, prefetch=False, concurrency=1)
        settings = self.driver.settings
        client = [settings.group, settings.address.url, settings.environment]
        self.store = Store(path, [*client, listing.fingerprint, self._comparison.definition])

    @property
    def is_read(self) -> bool:
        """Whether the whole list was read."""
        return self.store.get("read") is not None

    def rest(self) -> Listing[M]:
        """Return the rest of the list, from the position at which an earlier `read` stopped."""
        return self.listing.resume(self.store.get("checkpoint"))

    def keep(self, page: Page[M], checkpoint: str, shown: ListDisplay) -> None:
        """Store a page and the position after it, and show the progress.

        Raises:
            ReconcileError: A resource has no key, or two resources have the same key.
        """
        rows: list[tuple[str, bytes, str | None, str | None, str | None]] = []
        for item in page.data:
            key = self._comparison.key_of(item)
            if key is None:
                raise ReconcileError(
                    f"{type(item).__name__} {identity_of(item)!r} has no {self._comparison.key.path!r}; "
                    "choose another key",
                    outcome="rejected",
                )
            rows.append(
                (key, *self._comparison.of_resource(item), self._identity_of(item), self._own_identity_of(item))
            )
        with self.store.write():
            self._refuse_ambiguous([(key, own) for key, _, _, _, own in rows])
            # Keep the last version of a resource, because a resource can occur twice if the list changes while it's
            # read.
            self.store.run_many("INSERT OR REPLACE INTO remote VALUES (?, ?, ?, ?, ?)", rows)
            self.store.put("checkpoint", checkpoint)
        shown.page(len(page.data), page.total_count)

    def _identity_of(self, item: M) -> str | None:
        """Return the ID or vid with which a resource can be retrieved, or `None`."""
        names: list[object] = [getattr(item, "id", None), getattr(item, "vid", None)]
        if self._comparison.key.path == "vid":
            names.reverse()
        return next((str(name) for name in names if can_name(name)), None)

    def _own_identity_of(self, item: M) -> str | None:
        """Return an identifier that distinguishes resources with the same key."""
        own: object = getattr(item, "vid", None) if self._comparison.key.path != "vid" else None
        return identity_of(item) if own in (None, "") and not self._has_identity_as_key else cast("str | None", own)

    def _refuse_ambiguous(self, rows: Sequence[tuple[str, str | None]]) -> None:
        marks = ", ".join("?" * len(rows))
        query = f"SELECT key, own FROM remote WHERE key IN ({marks})"  # noqa: S608  only question marks
        known = dict(cast("list[tuple[str, str | None]]", self.store.rows(query, [key for key, _ in rows])))
        for key, own in rows:
            if key in known and not self._may_be_one(known[key], own):
                raise self._ambiguous(key)
            known[key] = own

    def _may_be_one(self, one: str | None, other: str | None) -> bool:
        """Return whether two items with the same key can be one resource, which moved in the list during the read."""
        if one is None or other is None:
            return self._has_identity_as_key
        return one == other

    def _ambiguous(self, key: str) -> ReconcileError:
        place = self._comparison.key
        shown = MASK if place.is_personal else repr(key)
        problem = f"two resources of {self.name} have the same {place.path!r}, {shown}; choose another key"
        if place.path == "id":
            problem = f'two resources of {self.name} have the id {shown} and different vids; write key="vid"'
        return ReconcileError(problem, outcome="rejected")

    def finish(self, shown: ListDisplay) -> None:
        """Record that the whole list was read."""
        with self.store.write():
            self.store.put("read", "1")
        shown.page(0, shown.read, is_last=True)

    @contextmanager
    def comparing(self) -> Generator[Callable[[Sequence[Row]], None]]:
        """Yield a function that compares a list of rows. If the comparison fails, the earlier result is kept.

        Raises:
            InvalidArgumentError: A row or a key is invalid, or the list wasn't read.
        """
        if not self.is_read:
            raise InvalidArgumentError("the service's list isn't read yet; call read() first")
        number = 0

        def add(rows: Sequence[Row]) -> None:
            nonlocal number
            self._add(rows, number)
            number += len(rows)

        with self.store.write():
            for table in ("local", "open"):
                self.store.run(f"DELETE FROM {table}")  # noqa: S608  the name of a table, from this module
            yield add
            self.store.run("INSERT INTO open (key) SELECT key FROM local WHERE row IS NOT NULL")
            self.store.run(
                "INSERT OR IGNORE INTO open (key) SELECT key FROM remote WHERE key NOT IN (SELECT key FROM local)"
            )
            self._count_first()
        self._turn += 1

    def _add(self, rows: Sequence[Row], before: int) -> None:
        read = [(number, *self._read_row(row, number)) for number, row in enumerate(rows, before + 1)]
        known = self._stored([key for _, key, _ in read])
        # In a CSV file, a key can start with an apostrophe, so that spreadsheets don't treat the key as a formula.
        plain = {key: without_apostrophe(key) for _, key, _ in read if key not in known}
        known |= self._stored([without for key, without in plain.items() if without != key])
        found = [(number, plain.get(key, key), values) for number, key, values in read]
        kept = self.store.run_many(
            "INSERT OR IGNORE INTO local VALUES (?, ?, ?)",
            [
                (key, None if self._is_equal(number, values, known.get(key)) else packed(values), number)
                for number, key, values in found
            ],
        )
        if kept < len(found):
            raise self._repeated([(key, number) for number, key, _ in found])

    def _stored(self, keys: Sequence[str]) -> dict[str, tuple[bytes, str | None]]:
        marks = ", ".join("?" * len(keys))
        query = f"SELECT key, digest, given FROM remote WHERE key IN ({marks})"  # noqa: S608  only question marks
        rows = cast("list[tuple[str, bytes, str | None]]", self.store.rows(query, keys))
        return {key: (digest, given) for key, digest, given in rows}

    def _is_equal(self, number: int, values: Sequence[object], stored: tuple[bytes, str | None] | None) -> bool:
        if stored is None:
            return False
        try:
            return self._comparison.is_equal(values, *stored)
        except RefusedValueError as error:
            raise InvalidArgumentError(f"row {number:,}: {error}") from None

    def _repeated(self, rows: Sequence[tuple[str, int]]) -> InvalidArgumentError:
        marks = ", ".join("?" * len(rows))
        query = f"SELECT key, number FROM local WHERE key IN ({marks})"  # noqa: S608  only question marks
        first = dict(cast("list[tuple[str, int]]", self.store.rows(query, [key for key, _ in rows])))
        key, number = next((key, number) for key, number in rows if first[key] != number)
        shown = MASK if self._comparison.key.is_personal else repr(key)
        return InvalidArgumentError(f"duplicate key {shown} in row {first[key]:,} and in row {number:,}")

    def _read_row(self, row: Row, number: int) -> tuple[str, list[object]]:
        try:
            return self._comparison.of_row(row)
        except RefusedValueError as error:
            raise InvalidArgumentError(f"row {number:,}: {error}") from None

    def _count_first(self) -> None:
        local, unequal = self.store.numbers("SELECT COUNT(*), COUNT(row) FROM local")
        (differs,) = self.store.numbers("SELECT COUNT(*) FROM local JOIN remote USING (key) WHERE row IS NOT NULL")
        (opened,) = self.store.numbers("SELECT COUNT(*) FROM open")
        self.store.put("counts", json.dumps([local - unequal, unequal - differs, opened - unequal, differs, 0]))
        self.store.put("is_final", None)

    @cached_property
    def _retrieve(self) -> Callable[[str | None], R] | None:
        """The method that retrieves a resource of the list; `None` if the SDK must read the list to find a resource."""
        if self.driver.settings.group != "billing" or self.listing.filters or self.listing.keeps is not None:
            return None
        family, _, method = self.name.partition(".")
        if method != "list" or len(self.listing.path) != 1:
            return None
        return getattr(getattr(self._resources(self.driver), family, None), "retrieve", None)

    def retrieve(self, candidate: Candidate) -> R:
        """Retrieve the resource of a candidate that `retrievable` returned."""
        if self._retrieve is None:
            raise AssertionError("retrieve() was called for a list without a retrieve method")
        return self._retrieve(candidate.identity)

    @staticmethod
    def check_absent(error: NotFoundError) -> None:
        """Raise a "not found" error again, unless the response is from the service itself."""
        if not is_own_response(error):
            raise error

    def begin(self) -> int:
        """Start a new check of all differences, and return the number of this check.

        Raises:
            InvalidArgumentError: No rows were compared.
        """
        self.counts()
        with self.store.write():
            self.store.run("UPDATE open SET kind = NULL, found = NULL")
            self.store.put("is_final", None)
        self._turn += 1
        return self._turn

    def _refuse_earlier(self, turn: int) -> None:
        if turn != self._turn:
            raise ReconcileError(
                "compare() or differences() was called before this iteration over the differences ended; call "
                "differences() again",
                outcome="rejected",
            )

    def retrievable(self) -> Iterator[list[Candidate]]:
        """Return the candidates whose resources can be retrieved, in lists of at most `concurrency`."""
        if self._retrieve is None:
            return
        identity = "remote.identity"
        if self._has_identity_as_key:
            identity = "CASE WHEN remote.digest IS NULL THEN key ELSE remote.identity END"
        for found in self._candidates(identity, f"{identity} IS NOT NULL"):
            # If a URL path can't contain the identifier, the SDK must read the list to find the resource.
            yield [each for each in found if can_name(each.identity)]

    @property
    def needs_list(self) -> bool:
        """Whether the SDK must read the list to find the resources of the remaining candidates."""
        return next(self._candidates("NULL", "1"), None) is not None

    def _candidates(self, identity: str, condition: str) -> Iterator[list[Candidate]]:
        columns = f"key, local.row, {identity}"
        for rows in self.store.pages(columns, _OPEN.format(condition=condition), self.concurrency):
            yield [_candidate(*row) for row in rows]

    def classify_page(self, turn: int, page: Page[M]) -> list[Difference[M]]:
        """Call `classify` for the candidates whose resources are in a page of the list."""
        by_key = {key: item for item in page.data if (key := self._comparison.key_of(item)) is not None}
        marks = ", ".join("?" * len(by_key))
        query = f"SELECT key, local.row, NULL {_OPEN.format(condition=f'key IN ({marks})')}"
        found = [_candidate(*row) for row in self.store.rows(query, list(by_key))]
        return self.classify(turn, found, [by_key[each.key] for each in found])

    def classify(
        self, turn: int, candidates: Sequence[Candidate], resources: Sequence[M | None]
    ) -> list[Difference[M]]:
        """Compare candidates with their current resources, and store and return the differences.

        Raises:
            ReconcileError: `compare` or `differences` was called again after this check started.
        """
        self._refuse_earlier(turn)
        found: list[Difference[M]] = []
        verdicts: list[tuple[str, str, str]] = []
        for candidate, seen in zip(candidates, resources, strict=True):
            # Check the key, because the SDK may have found a resource with another key, by its `id` or `vid`.
            has_key = seen is not None and self._comparison.key_of(seen) == candidate.key
            resource = seen if has_key else None
            kind, differences = self._verdict(candidate, resource)
            found += differences
            shown = [[each.field, packed([each.local]), packed([each.remote])] for each in differences]
            verdicts.append((kind, json.dumps(shown), candidate.key))
        with self.store.write():
            self.store.run_many("UPDATE open SET kind = ?, found = ? WHERE key = ?", verdicts)
        return found

    def _verdict(self, candidate: Candidate, resource: M | None) -> tuple[str, list[Difference[M]]]:
        key, is_key_personal = candidate.key, self._comparison.key.is_personal
        if candidate.row is None or resource is None:
            if candidate.row is None and resource is None:
                return _CHANGED, []
            kind: Kind = "remote_only" if candidate.row is None else "local_only"
            return kind, [Difference(key, kind, resource=resource, _is_key_personal=is_key_personal)]
        differing = self._differing(candidate, resource)
        return "differs" if differing else _CHANGED, [
            Difference(key, "differs", place.path, local, remote, resource, place.is_personal, is_key_personal)
            for place, local, remote in differing
        ]

    def _differing(self, candidate: Candidate, resource: M) -> list[tuple[Place, object, object]]:
        try:
            return self._comparison.differing(candidate.row or [], resource)
        except RefusedValueError as error:
            key = MASK if self._comparison.key.is_personal else repr(candidate.key)
            raise InvalidArgumentError(f"key {key}: {error}") from None

    def end(self, turn: int) -> Iterator[Difference[M]]:
        """Return the differences of the candidates that the service doesn't have, and store that the check is complete.

        Raises:
            ReconcileError: `compare` or `differences` was called again after this check started.
        """
        for candidates in self._candidates("NULL", "1"):
            yield from self.classify(turn, candidates, [None] * len(candidates))
        self._refuse_earlier(turn)
        rows = self.store.rows("SELECT kind, COUNT(*) FROM open GROUP BY kind")
        counted = {str(kind): number for kind, number in rows}
        kinds = ("local_only", "remote_only", "differs", _CHANGED)
        with self.store.write():
            first = self.counts()
            self.store.put("counts", json.dumps([first.equal, *(counted.get(kind, 0) for kind in kinds)]))
            self.store.put("is_final", "1")

    def counts(self) -> Counts:
        """Return the number of keys of each kind.

        Raises:
            InvalidArgumentError: No rows were compared.
        """
        known = self.store.get("counts")
        if known is None:
            raise InvalidArgumentError("no rows were compared yet; call compare(rows) first")
        return Counts(*json.loads(known))

    @property
    def is_final(self) -> bool:
        """Whether all differences were checked again after `compare`."""
        return self.store.get("is_final") is not None

    def found(self) -> Iterator[Difference[M]]:
        """Return the differences that the last check found, without the resources."""
        personal = {field.place.path: field.place.is_personal for field in self._comparison.fields}
        for rows in self.store.pages("key, kind, found", f"FROM open WHERE kind <> '{_CHANGED}'", BATCH):
            for key, kind, found in rows:
                for field, local, remote in json.loads(str(found)):
                    both = unpacked(local)[0], unpacked(remote)[0]
                    is_personal = personal.get(field, False)
                    yield Difference(
                        str(key), cast("Kind", kind), field, *both, None, is_personal, self._comparison.key.is_personal
                    )


def _candidate(key: object, row: object, identity: object) -> Candidate:
    return Candidate(str(key), None if row is None else unpacked(str(row)), None if identity is None else str(identity))


def can_name(identifier: object) -> bool:
    """Return whether a URL path can contain this ID or vid."""
    return isinstance(identifier, str) and 1 <= len(identifier) <= MAX_IDENTIFIER and fits_a_path(identifier)
