"""Opens the run of a ledger, with a client for the API and the environment that are stored in the ledger."""

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
    """Open an existing ledger, and yield the run and a description of the API and the environment.

    Raises:
        InvalidArgumentError: The command sends items (`is_sent` is set), but the client is read-only.
        ConfigurationError: The ledger doesn't exist or belongs to another environment, or the ledger's environment
            isn't configured.
        LedgerError: The file isn't a ledger, is damaged, or is in use. The ledger was moved without its -wal file.
    """
    group, origin, environment = _belongs_to(ledger, accept_moved=accept_moved)
    named = connection.named()
    if named is not None and named != environment:
        raise ConfigurationError(
            f"the ledger belongs to the environment {environment!r}, but --environment or SUBSCRIBEKIT_ENVIRONMENT is "
            f"{named!r}; set the environment to {environment!r}"
        )
    if environment == UNNAMED:
        raise ConfigurationError(
            f"the ledger belongs to a client with the base_url {origin}. The command line can't create a client "
            "with a base_url; resume the run with the program that wrote the ledger"
        )
    client = Connection(environment=environment, ca_file=connection.ca_file).client(group)
    if is_sent:
        # If the client is read-only, refuse to send before asking the user for confirmation.
        driver_of(client).settings.refuse_write("bulk")
    with (
        closing(client),
        Run(
            ledger, client, rate_limit=rate_limit, concurrency=concurrency, stop=stop, accept_new_key=accept_new_key,
            accept_moved=accept_moved,
        ) as run,
    ):  # fmt: skip
        yield run, f"{group} of {environment} ({origin})"


def _has_password(url: str) -> bool:
    """Return whether a URL contains a password, even if the password's special characters aren't escaped."""
    after = url.partition("://")[2]
    return ":" in after.rpartition("@")[0] or "password=" in after.lower()


def _belongs_to(ledger: str, *, accept_moved: bool) -> tuple[Group, str, str]:
    if "://" in ledger:
        if _has_password(ledger):
            raise ConfigurationError(
                "the URL must not contain a password, because other users of this machine can see the arguments of a "
                "command; set PGPASSWORD or PGPASSFILE instead"
            )
    elif not Path(ledger).expanduser().exists():  # opening a ledger that doesn't exist would create an empty file
        raise ConfigurationError(f"the ledger {ledger} doesn't exist. Check the path")
    with closing(Database(Sealed(ledger), accept_moved=accept_moved)) as database, database.read() as connection:
        row = connection.execute(table.select()).mappings().one_or_none()
    if row is None:
        raise ConfigurationError(f"the ledger {ledger} is empty. Add items with the program that creates the run")
    return cast("Group", row["group"]), str(row["origin"]), str(row["environment"])
