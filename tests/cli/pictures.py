"""Draws the terminals of `docs/guides/command-line.md` from what the commands really write.

PYTHONPATH=tests python -m cli.pictures
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
# The reader's own fonts: the pages load nothing from elsewhere.
FORMAT = re.sub(r"@font-face \{\{.*?\}\}\n", "", CONSOLE_SVG_FORMAT, flags=re.DOTALL).replace(
    "font-family: Fira Code, monospace", "font-family: ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace"
)


@dataclass(frozen=True)
class Picture:
    """One terminal: what is typed, and what the sandbox does."""

    name: str
    typed: str
    said: str = ""
    trouble: Callable[[Platform], object] | None = None
    prepare: Callable[[], None] | None = None


def _charges() -> None:
    """Leave a run with one charge that no read can tell of."""
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
        trouble=_lose_a_response,
    ),
)


class _Typed(Stream):
    """A keyboard whose keys are seen on the screen."""

    def __init__(self, text: str, screen: Stream) -> None:
        super().__init__(tty=True, text=text)
        self._screen = screen

    def readline(self, size: int = -1, /) -> str:
        text = super().readline(size)
        self._screen.write(text)
        return text


def shown(picture: Picture) -> str:
    """Run the command of a picture in its own sandbox; give what a terminal gets."""
    platform = Platform()
    if picture.trouble is not None:
        picture.trouble(platform)
    screen = Stream(tty=True)
    with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(sandbox.platform._Default, "platform", platform)
        patch.chdir(folder)
        patch.setattr("sys.stdin", _Typed(picture.said, screen))
        patch.setattr("sys.stdout", screen)
        patch.setattr("sys.stderr", screen)
        patch.delenv("NO_COLOR", raising=False)
        for name, value in {"COLUMNS": str(COLUMNS), "TERM": "xterm-256color", "COLORTERM": "truecolor"}.items():
            patch.setenv(name, value)
        patch.setenv("SUBSCRIBEKIT_ENVIRONMENT", "sandbox")
        if picture.prepare is not None:
            picture.prepare()
        cli.main(shlex.split(picture.typed)[1:])
    return _without_chance(screen.written())


def _without_chance(text: str) -> str:
    """Write identifiers that are drawn anew each time, and the version of Python, as those of one run."""
    for name, digits in (("traceid", 32), ("spanid", 16)):
        text = re.sub(
            rf"(x-b3-{name}: )[0-9a-f]{{{digits}}}", rf"\g<1>{'463ac35c9f6413ad48485a3953bb6124'[:digits]}", text
        )
    text = re.sub(r"(trace (?:id|ID):? )[0-9a-f]{32}", r"\g<1>463ac35c9f6413ad48485a3953bb6124", text)
    return re.sub(r"python/3\.\d+", "python/3.13", text)


def draw(picture: Picture) -> str:
    """Give the picture as SVG."""
    console = Console(record=True, width=COLUMNS, file=io.StringIO(), force_terminal=True, color_system="truecolor")
    console.print(Text(f"$ {picture.typed}", style="bold"))
    console.print(Text.from_ansi(shown(picture)), soft_wrap=False)
    drawn = console.export_svg(title="subscribekit", code_format=FORMAT, unique_id=f"terminal-{picture.name}")
    return "\n".join(line.rstrip() for line in drawn.splitlines()) + "\n"


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for each in PICTURES:
        (FOLDER / f"{each.name}.svg").write_text(draw(each), encoding="utf-8")
