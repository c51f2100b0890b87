"""The state of the sandbox: collections of documents, which can be found by ID or vid, in the order of creation."""

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

# Resources that the specification mentions, but whose operations the specification doesn't describe. The URLs of these
# resources follow the conventions of the documented URLs, which is an assumption.
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
    """The sandbox's `ids` function has no more identifiers, or returned an invalid or used identifier."""


class Collection:
    """The documents of one kind of resource."""

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
        """Return the document with this ID or vid, or `None` if there is no such document."""
        return self._documents.get(self._vids.get(key, key))

    def put(self, document: Document) -> Document:
        """Store a document under its vid and, if the document has an ID, also under its ID."""
        vid = text(document, "vid")
        self._documents[vid] = document
        self._positions.setdefault(vid, len(self._positions))
        identifier = text(document, "id")
        if identifier:
            self._vids[identifier] = vid
        return document

    def remove(self, key: str) -> None:
        """Remove a document, but keep its position in the order, so that cursors to the document stay valid."""
        self._documents.pop(self._vids.get(key, key), None)

    def position(self, key: str) -> int | None:
        """Return the position of a document, even if it was removed, or `None` if the document never existed."""
        return self._positions.get(self._vids.get(key, key))

    def referring(self, field: str, target: Link) -> list[Document]:
        """Return the documents in which `field` is a link to `target`."""
        return [document for document in self if document.get(field) == target]

    def copy(self) -> Collection:
        """Return a copy of the collection that shares no mutable data with the original."""
        copy = Collection(self.name, self.kind)
        vars(copy).update(copied(vars(self)))
        return copy

    def link(self, document: Document) -> Link:
        """Return a link to a document of this collection."""
        return Link(self.name, text(document, "vid"))


@dataclass(frozen=True)
class RecordedCharge:
    """An entitlement charge (E8) that the sandbox accepted, for assertions in tests.

    Attributes:
        partner_subscription: The ID of the charged partner subscription.
        transaction_reference_id: The reference of the charge that the sandbox returned.
        fields: The fields of the request body, with wire names such as `transactionId`.
        created: The sandbox's time when the sandbox accepted the charge.
    """

    partner_subscription: str
    transaction_reference_id: str
    fields: Document = field(default_factory=dict[str, Value])
    created: datetime | None = None


class Store:
    """The whole state of a sandbox.

    Attributes:
        ids: The function that returns new identifiers, or `None` if the store creates numbered identifiers. In a copy
            of the store, `ids` is `None`.
        uncaptured: The vids of authorized transactions that will be captured later, with the times of the captures.
        stuck: The vids of resources whose last due step failed, and for which the sandbox carries out no more steps.
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
        """Return the document that a link refers to, or `None` if the document doesn't exist."""
        return None if link is None else self.collections[link.collection].find(link.vid)

    def number(self, counter: str) -> int:
        """Return the next number of a counter, which starts at 1."""
        self._counters[counter] = self._counters.get(counter, 0) + 1
        return self._counters[counter]

    def digest(self, name: str) -> str:
        """Return 40 hexadecimal digits that depend only on the seed and the name."""
        return hashlib.sha1(f"{self._seed}:{name}".encode(), usedforsecurity=False).hexdigest()

    def new_vid(self, kind: str) -> str:
        """Return the next vid for a kind of object."""
        return self.digest(f"{kind}:{self.number(f'vid:{kind}')}")

    def new_id(self) -> str:
        """Return the next ID that the service chooses: a merchant prefix and a number, as in the published samples."""
        return f"SBX{self.number('id'):08d}" if self.ids is None else self._next(self.ids)

    def new_receipt(self) -> str:
        """Return the next reference of an entitlement charge."""
        return f"ptx-{self.number('charge'):010d}" if self.ids is None else self._next(self.ids)

    def _next(self, ids: Callable[[], str]) -> str:
        """Return the next identifier from the application's `ids` function.

        Raises:
            IdentifierError: The function has no more identifiers, or returned an invalid or used identifier.
        """
        try:
            identifier = ids()
        except StopIteration:  # a `StopIteration` would end a loop over a client's list without an error
            raise IdentifierError(
                "the sandbox's ids function has no more identifiers; pass a function that never runs out of identifiers"
            ) from None
        if not identifier or "/" in identifier or identifier in {".", ".."}:
            raise IdentifierError(
                f"the sandbox's ids function returned {identifier!r}. Identifiers must not be empty, be '.' or '..', "
                f"or contain a slash"
            )
        if identifier in self._taken or any(one.find(identifier) is not None for one in self.collections.values()):
            raise IdentifierError(
                f"the sandbox's ids function returned {identifier!r}, which is already used. Return a new identifier "
                f"each time"
            )
        self._taken.add(identifier)
        return identifier

    def add(self, name: str, document: Document) -> Document:
        """Store a new document, and add its `object` and a new vid."""
        collection = self.collections[name]
        made: Document = {"object": collection.kind}
        if document.get("id") is not None:
            made["id"] = document["id"]
        made["vid"] = self.new_vid(collection.kind)
        return collection.put({**made, **document})

    def copy(self) -> Store:
        """Return a copy of the whole state of the sandbox."""
        copy = Store(self._seed)
        excluded = {"ids", "collections"}
        vars(copy).update(copied({name: value for name, value in vars(self).items() if name not in excluded}))
        copy.collections = {name: collection.copy() for name, collection in self.collections.items()}
        return copy

    @contextmanager
    def trial(self) -> Generator[None]:
        """Undo all changes of a dry run at the end of a `with` block, but don't reset the counters."""
        before = self.copy()
        try:
            yield
        finally:
            counters = self._counters
            self.become(before)
            self._counters = counters

    def become(self, other: Store) -> None:
        """Replace this store's state with a copy of another store's state."""
        vars(self).update(vars(other.copy()) | {"ids": self.ids})
