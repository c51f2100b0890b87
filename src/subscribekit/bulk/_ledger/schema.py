"""The tables of a ledger, version 3. SQLite and PostgreSQL have the same tables."""

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
)

APPLICATION_ID = 0x53424B4C
"""SQLite's `application_id` of a ledger: the letters SBKL."""
VERSION = 3
"""The version of a ledger. The SDK refuses ledgers of other versions."""

NEVER = 1e300
"""A time in the far future. An item that has used up its attempts is due at `NEVER`."""

metadata = MetaData()
_Number = BigInteger().with_variant(Integer, "sqlite")  # SQLite numbers rows automatically only in an INTEGER column
_Float = Float(53)

ledger = Table(
    "subscribekit_ledger",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("version", Integer, nullable=False),
    Column("group", Text, nullable=False),
    Column("origin", Text, nullable=False),
    Column("environment", Text, nullable=False),
    Column("created_at", _Float, nullable=False),
    # `epoch` is the ID of the machine's clock, which changes when the machine restarts. Times that were measured before
    # a restart can't be compared with later times.
    Column("epoch", Text, nullable=False),
    # `paused_until` is the end of the wait that the service asked for. `pace` is the state of the rate limiter.
    Column("paused_until", _Float, nullable=False),
    Column("pace", BigInteger, nullable=False),
    # `spent` contains the currency and the total amount of all items that are sent, done, or unknown. The total may be
    # too high, so a run computes the total again before the amount limit stops the run. The column is NULL until a run
    # has an amount limit.
    Column("spent", Text),
    # `merchant` contains a salt, and the digest of the API user (billing) or API key (gateway). The column is NULL
    # until a client with an API user or an API key opens the ledger.
    Column("merchant", Text),
)

owners = Table(
    "subscribekit_owners",
    metadata,
    Column("id", _Number, primary_key=True, autoincrement=False),  # a random number
    Column("name", Text, nullable=False),
    Column("expires", _Float, nullable=False),
    Column("ended", Boolean, nullable=False),
)

shapes = Table(
    "subscribekit_shapes",
    metadata,
    Column("id", _Number, primary_key=True, autoincrement=True),
    Column("shape", Text, nullable=False, unique=True),
)

items = Table(
    "subscribekit_items",
    metadata,
    Column("id", _Number, primary_key=True, autoincrement=True),
    Column("key", Text, nullable=False, unique=True),
    Column("digest", LargeBinary, nullable=False),
    Column("state", Text, nullable=False),
    Column("due", _Float, nullable=False),
    # The request
    Column("operation", Text, nullable=False),
    Column("method", Text, nullable=False),
    Column("safety", Text, nullable=False),
    Column("shape", _Number, ForeignKey(shapes.c.id), nullable=False),
    Column("target", Text),
    Column("own", Text),
    # `amount` contains all digits of the amount. `purge_data` erases neither the amount nor the currency.
    Column("amount", Text),
    Column("currency", Text),
    Column("body", LargeBinary),
    # `owner` is the process that claimed the item last, `sends` is the number of claims, and `tries` is the number of
    # results that count toward `max_attempts`.
    Column("owner", _Number),
    Column("sends", Integer, nullable=False),
    Column("tries", Integer, nullable=False),
    # The outcome
    Column("attempts", Integer, nullable=False),
    Column("outcome", Text),
    Column("error_type", Text),
    Column("error_text", Text),
    Column("error", Text),
    Column("request_id", Text),
    Column("trace_id", Text),
    Column("result", LargeBinary),
    Column("verdict", Text),
    Column("note", Text),
    Column("is_purged", Boolean, nullable=False),
    # These three times are in seconds since 1970.
    Column("added_at", _Float, nullable=False),
    Column("sent_at", _Float),
    Column("ended_at", _Float),
    # `claimed` is the time of the claim. `expired` is the time when a process found that the lease of the claim had
    # ended. `claimed` and `expired` are measured on clocks that can't be set.
    Column("claimed", Text),
    Column("expired", Text),
)

Index("subscribekit_items_by_state", items.c.state, items.c.due, items.c.id)
