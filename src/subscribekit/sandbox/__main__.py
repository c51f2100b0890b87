"""The command `python -m subscribekit.sandbox`, which serves the sandbox on loopback ports until you stop it."""

from __future__ import annotations

import argparse
import logging
import signal
import sys
import threading
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from shlex import quote
from typing import get_args

from .._core.config.environments import Environment
from .facade import Sandbox
from .http.auth import credentials_of
from .server.server import SandboxServer
from .settings import Responses

_EXAMPLE = """\
from subscribekit import BillingClient

billing = BillingClient({})
"""
_MAX_PORT = 65_535 - 3


def main(arguments: Sequence[str] | None = None) -> int:
    """Serve the sandbox until Ctrl-C or SIGTERM.

    Args:
        arguments: The command-line arguments, without the program name. By default, `sys.argv[1:]`.

    Returns:
        The exit status.
    """
    options = _parser().parse_args(arguments)
    logging.basicConfig(level=logging.WARNING if options.quiet else logging.INFO, format="%(message)s")
    clock = partial(datetime.now, UTC) if options.real_time else None
    sandbox = Sandbox(seed=options.seed, clock=clock, responses=options.responses)
    try:
        for url in options.webhook:
            sandbox.webhooks.subscribe(url, key=options.webhook_key)
    except ValueError as error:
        _parser().error(str(error))
    with _until_signal() as stop:
        try:
            server = SandboxServer(sandbox, port=options.port, plain=options.plain, directory=options.directory)
        except (ModuleNotFoundError, OSError) as error:
            print(f"subscribekit.sandbox: {error}", file=sys.stderr)  # noqa: T201  a program for a terminal
            return 1
        with server:
            print(describe(server), flush=True)  # noqa: T201  a program for a terminal
            # On Windows, Ctrl-C can't interrupt a wait without a timeout.
            while not stop.wait(timeout=1.0):
                pass
    return 0


@contextmanager
def _until_signal() -> Generator[threading.Event]:
    """Yield an event that Ctrl-C and SIGTERM set, and restore the previous signal handlers at the end."""
    stop = threading.Event()
    previous = {
        kind: signal.signal(kind, lambda _number, _frame: stop.set()) for kind in (signal.SIGINT, signal.SIGTERM)
    }
    try:
        yield stop
    finally:
        for kind, handler in previous.items():
            signal.signal(kind, handler)


def _port(value: str) -> int:
    port = int(value)
    if not 0 <= port <= _MAX_PORT:
        raise argparse.ArgumentTypeError(f"the port must be a number from 0 to {_MAX_PORT}")
    return port


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m subscribekit.sandbox", description="Serve the sandbox to programs on this machine."
    )
    parser.add_argument(
        "--port",
        type=_port,
        default=0,
        help="Use this port and the next three ports (default: the system chooses four free ports).",
    )
    parser.add_argument(
        "--plain", action="store_true", help="Serve plain HTTP. HTTPS, the default, requires the 'server' extra."
    )
    parser.add_argument(
        "--directory", type=Path, help="Write the certificate to this directory (default: a temporary directory)."
    )
    parser.add_argument("--seed", type=int, default=0, help="Derive all vids from this number (default: %(default)s).")
    parser.add_argument(
        "--real-time",
        action="store_true",
        help="Use this machine's clock. By default, the sandbox's time changes only when you advance it.",
    )
    parser.add_argument(
        "--responses",
        choices=get_args(Responses),
        default="specification",
        help="Return responses as in the specification or as in the published samples (default: %(default)s).",
    )
    parser.add_argument(
        "--webhook",
        metavar="URL",
        action="append",
        default=[],
        help="Post webhooks to this URL on this machine. You can repeat --webhook for more URLs.",
    )
    parser.add_argument(
        "--webhook-key",
        metavar="KEY",
        default="sandbox-webhook-key",
        help="Sign webhooks with this key (default: %(default)s).",
    )
    parser.add_argument("--quiet", action="store_true", help="Don't print a line for each request.")
    return parser


def describe(server: SandboxServer) -> str:
    """Return instructions for using a server from a browser, from Python, and with curl."""
    environment = server.environment
    lines = [f"export SUBSCRIBEKIT_ENVIRONMENT={environment.name}"]
    lines += [f"export {name}={value}" for name, value in _variables(environment).items()]
    trust = ""
    if server.authority is not None:
        authority = quote(str(server.authority))
        lines.append(f"export {environment.variable('ca_file')}={authority}")
        trust = f"--cacert {authority} "
    example = _EXAMPLE.format("" if trust else "allow_insecure_loopback=True")
    accepted = credentials_of(environment)
    billing = server.addresses["billing"]
    curl = f"curl {trust}-u {accepted.api_user}:{accepted.api_key} '{billing}/accounts?limit=2'"
    advance = f"curl {trust}-X POST {billing}/_sandbox/advance -d '{{\"days\": 31}}'"
    return (
        f"The sandbox is running. Press Ctrl-C to stop it. Status page: {server.addresses['billing']}/\n\n"
        f"Set these variables in a shell:\n\n{_indented(chr(10).join(lines))}\n\n"
        f"Then run this in Python, started from the same shell:\n\n{_indented(example)}\n\n"
        "Or use curl to list two accounts, and to advance the sandbox's time by 31 days:\n\n"
        f"{_indented(curl)}\n{_indented(advance)}\n\n"
        "The specification doesn't show the wire names of some arguments. To use these arguments here, pass\n"
        "wire_names=Sandbox().environment.wire_names to the client (from subscribekit.sandbox import Sandbox).\n"
    )


def _variables(environment: Environment) -> dict[str, str]:
    addresses = ("base_url", "gateway_url", "user_mgmt_url", "storefront_url")
    values = {name: getattr(environment, name) for name in addresses} | asdict(credentials_of(environment))
    return {environment.variable(name): value or "" for name, value in values.items()}


def _indented(block: str) -> str:
    return "\n".join(f"    {line}" if line else "" for line in block.rstrip().splitlines())


if __name__ == "__main__":
    sys.exit(main())
