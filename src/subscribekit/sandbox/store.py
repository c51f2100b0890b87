"""The state of the sandbox: collections of plain documents, found by id or vid, in the order they were made."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime

from .values import Document, Link, Value, copied, text

BILLING_COLLECTIONS = {
    "accounts": "Account",
    "activities": "Activity",
    "billing_plans": "BillingPlan",
    "campaigns": "Campaign",
    "grants": "Entitlement",
    "invoices": "Invoice",
    "payment_methods": "PaymentMethod",
    "payments": "Payment",
    "products": "Product",
    "rate_plans": "RatePlan",
    "refunds": "Refund",
    "rights": "Entitlement",
    "season_sets": "SeasonSet",
    "subscriptions": "Subscription",
    "tokens": "Token",
    "transactions": "Transaction",
    "usage": "EventSummary",
}

# The families the specification names without showing an operation; kept as conventional resources.
CONVENTIONAL_COLLECTIONS = {
    "campaign_codes": "CampaignCode",
    "cancel_fee_policies": "CancelFeePolicy",
    "cancel_reasons": "CancelReason",
    "chargebacks": "Chargeback",
    "charges": "Charge",
    "discount_tickets": "DiscountTicket",
    "events": "Event",
    "gift_card_redemptions": "GiftCardRedemption",
    "gift_cards": "GiftCard",
    "reason_codes": "ReasonCode",
}


class IdentifierError(ValueError):
    """The `ids` of a sandbox are used up, or returned what cannot be an identifier."""


class Collection:
    """One family of resources."""

    def __init__(self, name: str, kind: str) -> None:
        self.name = name
        self.kind = kind
        self._documents: dict[str, Document] = {}
        self._vids: dict[str, str] = {}
        self._positions: dict[str, int] = {}

    def __iter__(self) -> Iterator[Document]:
        return iter(self._documents.values())

    def __len__(self) -> int:
        return len(self._documents)

    def find(self, key: str) -> Document | None:
        """Return the document with this id or vid."""
        return self._documents.get(self._vids.get(key, key))

    def put(self, document: Document) -> Document:
        """Keep a document that has its vid, under its id too when it has one."""
        vid = text(document, "vid")
        self._documents[vid] = document
        self._positions.setdefault(vid, len(self._positions))
        identifier = text(document, "id")
        if identifier:
            self._vids[identifier] = vid
        return document

    def remove(self, key: str) -> None:
        """Remove a document; its place in the order is kept, so that a cursor to it stays valid."""
        self._documents.pop(self._vids.get(key, key), None)

    def position(self, key: str) -> int | None:
        """Return the place in the order of a document, also of a removed one."""
        return self._positions.get(self._vids.get(key, key))

    def referring(self, field: str, target: Link) -> list[Document]:
        """Return the documents that refer to another one in a field."""
        return [document for document in self if document.get(field) == target]

    def copy(self) -> Collection:
        """Return a copy that shares nothing that changes."""
        made = Collection(self.name, self.kind)
        vars(made).update(copied(vars(self)))
        return made

    def link(self, document: Document) -> Link:
        """Return a link to a document of this collection."""
        return Link(self.name, text(document, "vid"))


@dataclass(frozen=True)
class RecordedCharge:
    """An entitlement charge (E8) as it was sent, for assertions. `fields` has wire names, such as `transactionId`."""

    partner_subscription: str
    transaction_reference_id: str
    fields: Document = field(default_factory=dict[str, Value])
    created: datetime | None = None


class Store:
    """Everything the sandbox remembers.

    Attributes:
        ids: Where new identifiers come from; numbers when it is `None`. It belongs to no copy.
        uncaptured: When authorized transactions will be captured, by their vids.
        stuck: The vids of the resources whose next step in time failed, so that it isn't tried again.
    """

    def __init__(self, seed: int) -> None:
        self.ids: Callable[[], str] | None = None
        self._seed = seed
        self._counters: dict[str, int] = {}
        self._taken: set[str] = set()
        kinds = BILLING_COLLECTIONS | CONVENTIONAL_COLLECTIONS
        self.collections: dict[str, Collection] = {name: Collection(name, kind) for name, kind in kinds.items()}
        self.partner_subscriptions: dict[str, Document] = {}
        self.entitlement_charges: list[RecordedCharge] = []
        self.custom_data: dict[str, dict[str, list[Document]]] = {}
        self.entities: dict[tuple[str, str], Document] = {}
        self.edges: list[tuple[tuple[str, str], tuple[str, str]]] = []
        self.users: dict[str, str] = {}
        self.cursors: dict[str, str] = {}
        self.uncaptured: dict[str, datetime] = {}
        self.stuck: set[str] = set()

    def __getitem__(self, name: str) -> Collection:
        return self.collections[name]

    def follow(self, link: Link | None) -> Document | None:
        """Return the document a link leads to."""
        return None if link is None else self.collections[link.collection].find(link.vid)

    def number(self, counter: str) -> int:
        """Return the next number of a counter, from 1."""
        self._counters[counter] = self._counters.get(counter, 0) + 1
        return self._counters[counter]

    def digest(self, name: str) -> str:
        """Return 40 hex digits that depend on the seed and the name alone."""
        return hashlib.sha1(f"{self._seed}:{name}".encode(), usedforsecurity=False).hexdigest()

    def new_vid(self, kind: str) -> str:
        """Return the next vid of a kind of object."""
        return self.digest(f"{kind}:{self.number(f'vid:{kind}')}")

    def new_id(self) -> str:
        """Return the next identifier the service chooses, a merchant prefix and a number as published samples show."""
        return f"SBX{self.number('id'):08d}" if self.ids is None else self._next(self.ids)

    def new_receipt(self) -> str:
        """Return the next reference of an entitlement charge."""
        return f"ptx-{self.number('charge'):010d}" if self.ids is None else self._next(self.ids)

    def _next(self, ids: Callable[[], str]) -> str:
        """Return the next identifier of a source that was given.

        Raises:
            IdentifierError: There is no next one, it cannot be an identifier, or something has it already.
        """
        try:
            made = ids()
        except StopIteration:  # inside a list it would pass for the list's end
            raise IdentifierError("the sandbox's ids are used up") from None
        if not made or "/" in made or made in {".", ".."}:
            raise IdentifierError(f"the sandbox's ids gave {made!r}, which is empty or contains a slash")
        if made in self._taken or any(one.find(made) is not None for one in self.collections.values()):
            raise IdentifierError(f"the sandbox's ids gave {made!r}, which is taken")
        self._taken.add(made)
        return made

    def add(self, name: str, document: Document) -> Document:
        """Give a new document its object name and vid and keep it."""
        collection = self.collections[name]
        made: Document = {"object": collection.kind}
        if document.get("id") is not None:
            made["id"] = document["id"]
        made["vid"] = self.new_vid(collection.kind)
        return collection.put({**made, **document})

    def copy(self) -> Store:
        """Return a copy of the whole state."""
        made = Store(self._seed)
        apart = {"ids", "collections"}
        vars(made).update(copied({name: kept for name, kept in vars(self).items() if name not in apart}))
        made.collections = {name: collection.copy() for name, collection in self.collections.items()}
        return made

    @contextmanager
    def trial(self) -> Generator[None]:
        """Undo every change made inside, for dry runs; the numbers given out stay used."""
        before = self.copy()
        try:
            yield
        finally:
            counters = self._counters
            self.become(before)
            self._counters = counters

    def become(self, other: Store) -> None:
        """Take over the state of another store, which stays as it is."""
        vars(self).update(vars(other.copy()) | {"ids": self.ids})
