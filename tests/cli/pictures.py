"""Draws the pictures of `docs/guides/command-line.md` from the actual output of the commands.

To draw them, run `PYTHONPATH=tests python -m cli.pictures`.
"""

from __future__ import annotations

import io
import re
import shlex
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from rich._export_format import CONSOLE_SVG_FORMAT
from rich.console import Console
from rich.text import Text

from cli.kit import Stream
from subscribekit import GatewayClient, cli, sandbox
from subscribekit.bulk import Run, StopPolicy
from subscribekit.models import EntitlementCharge
from subscribekit.sandbox.faults import drop_after_commit
from subscribekit.sandbox.platform import Platform, default_platform

FOLDER = Path(__file__).parents[2] / "docs" / "assets" / "command-line"
COLUMNS = 100
# Use fonts of the reader's system, because the pages load nothing from other sites.
FORMAT = re.sub(r"@font-face \{\{.*?\}\}\n", "", CONSOLE_SVG_FORMAT, flags=re.DOTALL).replace(
    "font-family: Fira Code, monospace", "font-family: ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace"
)


@dataclass(frozen=True)
class Picture:
    """One picture: a command, the answer to its question, and the setup of the sandbox."""

    name: str
    command: str
    answer: str = ""
    add_fault: Callable[[Platform], object] | None = None
    prepare: Callable[[], None] | None = None


def _charges() -> None:
    """Create a run with one charge whose outcome no read can determine."""
    platform = default_platform()
    platform.faults.add("/v1/entitlement/{id}/charge", drop_after_commit())
    with (
        GatewayClient(environment="sandbox") as gateway,
        Run("charges.db", gateway, concurrency=1, stop=StopPolicy(max_items=4)) as run,
    ):
        for number in range(12):
            charge = EntitlementCharge(transaction_id=f"order-{number}", amount=Decimal("4.90"), currency="USD")
            run.add([(f"row-{number}", gateway.prepare.entitlements.charge("psub-entitlement-0001", charge))])
        list(run.send())


def _lose_a_response(platform: Platform) -> None:
    platform.faults.add("POST /accounts", drop_after_commit())


PICTURES = (
    Picture("doctor", "subscribekit doctor"),
    Picture("list", "subscribekit call billing.transactions.list --limit 5"),
    Picture("retrieve", "subscribekit call billing.payments.retrieve pay-cash-0001"),
    Picture("help", "subscribekit call billing.payments.reverse --help"),
    Picture("write", "subscribekit call billing.payments.reverse pay-cash-0001", "y\n"),
    Picture("bulk", "subscribekit bulk status charges.db", prepare=_charges),
    Picture(
        "unknown",
        """subscribekit call billing.accounts.create --yes --body '{"id": "acct-new"}'""",
        add_fault=_lose_a_response,
    ),
)


class _Typed(Stream):
    """A standard input that echoes the typed lines to the screen."""

    def __init__(self, text: str, screen: Stream) -> None:
        super().__init__(tty=True, text=text)
        self._screen = screen

    def readline(self, size: int = -1, /) -> str:
        text = super().readline(size)
        self._screen.write(text)
        return text


def terminal_output(picture: Picture) -> str:
    """Run the command of a picture in its own sandbox, and return the output in a terminal."""
    platform = Platform()
    if picture.add_fault is not None:
        picture.add_fault(platform)
    screen = Stream(tty=True)
    with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(sandbox.platform._Default, "platform", platform)
        patch.chdir(folder)
        patch.setattr("sys.stdin", _Typed(picture.answer, screen))
        patch.setattr("sys.stdout", screen)
        patch.setattr("sys.stderr", screen)
        patch.delenv("NO_COLOR", raising=False)
        for name, value in {"COLUMNS": str(COLUMNS), "TERM": "xterm-256color", "COLORTERM": "truecolor"}.items():
            patch.setenv(name, value)
        patch.setenv("SUBSCRIBEKIT_ENVIRONMENT", "sandbox")
        if picture.prepare is not None:
            picture.prepare()
        cli.main(shlex.split(picture.command)[1:])
    return _with_fixed_values(screen.written())


def _with_fixed_values(text: str) -> str:
    """Replace random IDs and the Python version with fixed values, so that the pictures don't change."""
    for name, digits in (("traceid", 32), ("spanid", 16)):
        text = re.sub(
            rf"(x-b3-{name}: )[0-9a-f]{{{digits}}}", rf"\g<1>{'463ac35c9f6413ad48485a3953bb6124'[:digits]}", text
        )
    text = re.sub(r"(trace (?:id|ID):? )[0-9a-f]{32}", r"\g<1>463ac35c9f6413ad48485a3953bb6124", text)
    return re.sub(r"python/3\.\d+", "python/3.13", text)


def draw(picture: Picture) -> str:
    """Return the picture as SVG."""
    console = Console(record=True, width=COLUMNS, file=io.StringIO(), force_terminal=True, color_system="truecolor")
    console.print(Text(f"$ {picture.command}", style="bold"))
    console.print(Text.from_ansi(terminal_output(picture)), soft_wrap=False)
    drawn = console.export_svg(title="subscribekit", code_format=FORMAT, unique_id=f"terminal-{picture.name}")
    return "\n".join(line.rstrip() for line in drawn.splitlines()) + "\n"


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for each in PICTURES:
        (FOLDER / f"{each.name}.svg").write_text(draw(each), encoding="utf-8")
