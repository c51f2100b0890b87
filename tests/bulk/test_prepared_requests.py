"""The cost of a claim doesn't depend on the number of ready items (H146)."""

from __future__ import annotations

from pathlib import Path

import sqlalchemy as sa

from bulk.kit import client_of, jobs, opened


def test_items_are_claimed_by_id(tmp_path: Path) -> None:
    statements: dict[str, object] = {}
    with client_of() as client, opened(tmp_path / "l.db", client, concurrency=16) as run:
        run.add(jobs(client, 40))
        engine = run._open().database.engine

        def note(_: object, __: object, statement: str, parameters: object, *___: object) -> None:
            statements[statement] = parameters

        sa.event.listen(engine, "before_cursor_execute", note)
        assert len(list(run.send())) == 40
        sa.event.remove(engine, "before_cursor_execute", note)
        taking = [each for each in statements if each.startswith("UPDATE subscribekit_items") and "sent_at" in each]
        assert taking
        for statement in taking:
            with run._open().database.read() as connection:
                plan = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", statements[statement]).all()
            assert "INTEGER PRIMARY KEY" in str(plan), plan
