"""The run behind a ledger: its client is made for the group and the environment that the ledger names."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import cast

from ..._core.calls.settings import UNNAMED
from ..._core.client.resources import driver_of
from ..._core.config.environments import Group
from ..._sealed import Sealed
from ...bulk import RateLimit, Run, StopPolicy
from ...bulk._ledger.database import Database
from ...bulk._ledger.schema import ledger as table
from ...errors import ConfigurationError
from ..clients import Connection


@contextmanager
def opened(
    ledger: str,
    connection: Connection,
    *,
    rate_limit: RateLimit | None = None,
    concurrency: int = 8,
    stop: StopPolicy | None = None,
    accept_new_key: bool = False,
    accept_moved: bool = False,
    is_sent: bool = False,
) -> Generator[tuple[Run, str]]:
    """Open a ledger that exists; gives its run and where its calls go, in words.

    Raises:
        InvalidArgumentError: Its items are to be sent (`is_sent`), and the client is read-only.
        ConfigurationError: There is none, it belongs to another environment than the one that is named, or its
            environment is not configured.
        LedgerError: It is none, damaged, moved without its -wal, or in use.
    """
    group, origin, environment = _belongs_to(ledger, accept_moved=accept_moved)
    named = connection.named()
    if named is not None and named != environment:
        raise ConfigurationError(
            f"the ledger belongs to the environment {environment!r}, and {named!r} is named by --environment or "
            "SUBSCRIBEKIT_ENVIRONMENT"
        )
    if environment == UNNAMED:
        raise ConfigurationError(
            f"the ledger belongs to a client with a custom address ({origin}), which the command line cannot "
            "make: go on with the program that wrote it, or name an environment there"
        )
    client = Connection(environment=environment, ca_file=connection.ca_file).client(group)
    if is_sent:
        driver_of(client).settings.refuse_write("bulk")  # before a question that leads nowhere
    with (
        closing(client),
        Run(
            ledger, client, rate_limit=rate_limit, concurrency=concurrency, stop=stop, accept_new_key=accept_new_key,
            accept_moved=accept_moved,
        ) as run,
    ):  # fmt: skip
        yield run, f"{group} of {environment} ({origin})"


def _has_password(url: str) -> bool:
    """Whether a URL holds a password, also one with characters that would have to be quoted."""
    after = url.partition("://")[2]
    return ":" in after.rpartition("@")[0] or "password=" in after.lower()


def _belongs_to(ledger: str, *, accept_moved: bool) -> tuple[Group, str, str]:
    if "://" in ledger:
        if _has_password(ledger):
            raise ConfigurationError(
                "a password in an argument is seen by others: leave it out of the URL, and set PGPASSWORD or use a "
                "file of passwords (PGPASSFILE)"
            )
    elif not Path(ledger).expanduser().exists():  # or an empty one would be made
        raise ConfigurationError(f"there is no ledger {ledger}")
    with closing(Database(Sealed(ledger), accept_moved=accept_moved)) as database, database.read() as connection:
        row = connection.execute(table.select()).mappings().one_or_none()
    if row is None:
        raise ConfigurationError(f"{ledger} is an empty ledger: nothing was ever added to it")
    return cast("Group", row["group"]), str(row["origin"]), str(row["environment"])
