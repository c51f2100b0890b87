"""The SQL statements of every commit.

Compiling a statement takes longer than running it, so each statement is compiled only once.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, TypeAlias

import sqlalchemy as sa

from ..._sealed import Content
from .entries import COLUMNS
from .schema import items, ledger, shapes

Changing: TypeAlias = "sa.Select[*tuple[Any, ...]] | sa.Update"
Result: TypeAlias = "sa.CursorResult[Any]"

JOINED: "sa.Select[*tuple[Any, ...]]" = sa.select(*COLUMNS).select_from(
    items.join(shapes, items.c.shape == shapes.c.id)
)


class Statement:
    """A statement with named parameters.

    The database driver gets the arguments and returns the results without conversion. Therefore, arguments and results
    are only numbers, strings, bytes, and `None`. If an argument is a `Content`, the driver gets the bytes.

    Args:
        statement: The statement, with a `bindparam` for each value that changes.
    """

    def __init__(self, statement: Changing) -> None:
        self._statement = statement
        self._written: dict[str, tuple[str, list[str] | None, dict[str, Any]]] = {}

    def run(self, connection: sa.Connection, values: Mapping[str, object] | None = None) -> Result:
        """Run the statement once."""
        sql, names, fixed = self._write(connection)
        given = {**fixed, **(values or {})}
        return connection.exec_driver_sql(sql, _arguments(names, given))

    def run_each(self, connection: sa.Connection, rows: Sequence[Mapping[str, object]]) -> Result:
        """Run the statement once for each row of values."""
        sql, names, fixed = self._write(connection)
        return connection.exec_driver_sql(sql, [_arguments(names, {**fixed, **row}) for row in rows])

    def _write(self, connection: sa.Connection) -> tuple[str, list[str] | None, dict[str, Any]]:
        dialect = connection.dialect
        found = self._written.get(dialect.name)
        if found is None:
            compiled = self._statement.compile(dialect=dialect)
            found = compiled.string, compiled.positiontup, dict(compiled.params)
            self._written[dialect.name] = found
        return found


def _arguments(names: list[str] | None, given: Mapping[str, object]) -> Any:
    """Return the arguments of a statement for the driver, by name or in the order of `names`."""
    return driver_values(given) if names is None else tuple([driver_value(given[name]) for name in names])


def driver_value(value: object) -> object:
    """Return a value in the driver's form. Don't store the value in a local variable, which a traceback could show."""
    return value.reveal() if isinstance(value, Content) else value


def driver_values(values: Mapping[str, object]) -> dict[str, object]:
    """Return named values in the form that the database driver needs."""
    return {name: driver_value(value) for name, value in values.items()}


PACE = Statement(sa.select(ledger.c.paused_until, ledger.c.pace))
PACE_TO_CHANGE = Statement(sa.select(ledger.c.paused_until, ledger.c.pace).with_for_update())

SPENT = Statement(sa.select(ledger.c.spent))
SPENT_TO_CHANGE = Statement(sa.select(ledger.c.spent).with_for_update())
SET_SPENT = Statement(ledger.update().values(spent=sa.bindparam("now_spent", type_=sa.Text())))

READY = Statement(
    JOINED.where(items.c.state == "ready", items.c.due <= sa.bindparam("now"))
    .order_by(items.c.due, items.c.id)
    .limit(sa.bindparam("number", type_=sa.Integer()))
    .with_for_update(skip_locked=True, of=items)
)


@cache
def claim_statement(number: int) -> Statement:
    """Return the statement that claims a number of items. The parameters for the IDs are `id0`, `id1`, and so on."""
    ids = [sa.bindparam(f"id{each}", type_=items.c.id.type) for each in range(number)]
    # Without `coalesce`, SQLite would search for the IDs in the index of all `ready` items (H146).
    is_ready = sa.func.coalesce(items.c.state, "") == "ready"
    # Keep the note, because it may contain the reason why the item is sent again.
    nothing = ("ended_at", "expired", "verdict", "outcome", "error_type", "error_text", "error", "request_id")
    return Statement(
        items.update()
        .where(items.c.id.in_(ids), is_ready)
        .values({name: sa.null() for name in nothing})
        .values(state="sent", due=0, owner=sa.bindparam("by"), sends=items.c.sends + 1, sent_at=sa.bindparam("at"))
        .values(claimed=sa.bindparam("moment"))
    )


def _end(mine: "sa.ColumnElement[bool]") -> sa.Update:
    named = (
        "state", "due", "tries", "ended_at", "outcome", "error_type", "error_text", "error", "request_id", "trace_id",
        "result",
    )  # fmt: skip
    return (
        items.update()
        .where(items.c.id == sa.bindparam("of_id"), items.c.owner == sa.bindparam("of_owner"))
        .where(items.c.sends == sa.bindparam("of_sends"), mine)
        .values({name: sa.bindparam(f"new_{name}", type_=items.c[name].type) for name in named})
        .values(attempts=items.c.attempts + sa.bindparam("more_attempts"))
    )


WRITE_RESULT = Statement(_end((items.c.state == "sent") | ((items.c.state == "unknown") & items.c.verdict.is_(None))))
WRITE_LATE_RESULT = Statement(_end((items.c.state == "ready") & (sa.bindparam("new_state", type_=sa.Text()) == "done")))
"""Writes a late `done` result of an item that a verdict had made `ready`. The item then counts toward the amount limit
again."""
