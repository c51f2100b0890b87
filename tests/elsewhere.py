"""Runs the examples against a service with addresses and credentials of its own, as a merchant runs them."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from subscribekit.sandbox import RecordedRequest
from subscribekit.sandbox.server import SandboxServer

EXAMPLES = Path(__file__).parent.parent / "examples"
TRUSTING = "import certifi\ncertifi.where = lambda: {authority!r}\n"
"""The code that runs first in every process of an example, including workers. It makes them trust the server's CA."""

CREDENTIALS = ("api_user", "api_key", "gateway_api_key", "session_id", "access_token")


def command(script: str, *arguments: str) -> list[str]:
    """Return the command that runs an example. An example with tests runs with pytest, in one process."""
    runner = ["-m", "pytest", "-q", "-n0", "-p", "no:cacheprovider"] if script.startswith("test_") else []
    return [sys.executable, *runner, str(EXAMPLES / script), *arguments]


def environment() -> dict[str, str]:
    """Return this process's environment without the SDK's settings. Warnings are errors, in child processes too."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("SUBSCRIBEKIT_")}
    return {**kept, "PYTHONWARNINGS": "error"}


@dataclass(frozen=True)
class Elsewhere:
    """A service with addresses and credentials of its own."""

    server: SandboxServer
    folder: Path

    def run(self, script: str, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
        """Run an example against the service, as a merchant does."""
        return subprocess.run(
            command(script, *arguments),
            cwd=self.folder,
            env={**environment(), "PYTHONPATH": str(self.folder), **self.variables(), **variables},
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )

    def variables(self) -> dict[str, str]:
        """Return the environment variables with the addresses and the credentials of the service."""
        sandbox, addresses = self.server.sandbox.environment, self.server.addresses
        named = {"SUBSCRIBEKIT_ENVIRONMENT": "pilot", "SUBSCRIBEKIT_PILOT_BASE_URL": addresses["billing"]}
        for group in ("gateway", "user_mgmt", "storefront"):
            named[f"SUBSCRIBEKIT_PILOT_{group.upper()}_URL"] = addresses[group]
        for name in CREDENTIALS:
            secret = getattr(sandbox, name)
            named[f"SUBSCRIBEKIT_PILOT_{name.upper()}"] = secret if isinstance(secret, str) else secret.reveal()
        return named

    @property
    def arrived(self) -> list[RecordedRequest]:
        """The requests that arrived."""
        return self.server.sandbox.requests

    @property
    def writes(self) -> list[RecordedRequest]:
        """The writes that arrived, without dry runs, because those change nothing."""
        return [each for each in self.arrived if each.method != "GET" and ("dryrun", "1") not in each.query]


@pytest.fixture
def elsewhere(tmp_path: Path) -> Iterator[Elsewhere]:
    with SandboxServer(name="pilot") as server:
        (tmp_path / "sitecustomize.py").write_text(TRUSTING.format(authority=str(server.authority)))
        yield Elsewhere(server, tmp_path)
