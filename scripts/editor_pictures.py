"""Draw the suggestions of Jedi in the first example, as pictures for the page "Editors and notebooks".

    python scripts/editor_pictures.py           rewrite docs/assets/editor-*.svg
    python scripts/editor_pictures.py --check   list the pictures that differ from the current suggestions

The texts come from `jedi`, which IPython, Jupyter, and many editors use. This script draws the frames around them, and
they show no real editor.
"""

import sys
from dataclasses import dataclass
from html import escape
from importlib import import_module
from pathlib import Path
from textwrap import wrap
from typing import Any, Protocol

ROOT = Path(__file__).parent.parent
ASSETS = ROOT / "docs" / "assets"
SOURCE = ROOT / "src"
LINE, WIDTH, COLUMNS, MOST = 20, 1020, 116, 12
STYLE = (
    "text{font:14px ui-monospace,Menlo,Consolas,monospace;white-space:pre;fill:#1f2933}"
    ".page{fill:#f7f9fa}.box{fill:#fff;stroke:#00897b}"
)

HEAD = 'from subscribekit import BillingClient\n\nwith BillingClient(environment="sandbox") as billing:\n'
FIRST = '    payment = billing.payments.reverse("pay-cash-0001")\n'


KINDS = {"statement": "field", "function": "method"}


class Found(Protocol):
    """The part of Jedi's names and signatures that this script uses."""

    name: str
    type: str

    def to_string(self) -> str:
        """Return a signature as text."""
        ...

    def docstring(self, *, raw: bool = False) -> str:
        """Return the documentation."""
        ...


class Typed(Protocol):
    """The part of Jedi's untyped `Script` that this script uses."""

    def complete(self) -> list[Found]:
        """Return the completions at the end of the code."""
        ...

    def get_signatures(self) -> list[Found]:
        """Return the signatures of the call at the end of the code."""
        ...


@dataclass(frozen=True)
class Picture:
    """A picture of the suggestions at the end of some code, and its description."""

    name: str
    code: str
    title: str

    def lines(self) -> list[str]:
        """Return the lines that Jedi suggests at the end of the code."""
        jedi: Any = import_module("jedi")  # it's untyped
        script: Typed = jedi.Script(self.code, path=SOURCE / "first_example.py", project=jedi.Project(SOURCE))
        if self.code.endswith("("):
            (signature,) = script.get_signatures()
            text = signature.docstring(raw=True).splitlines()
            return [*wrap(signature.to_string(), COLUMNS, subsequent_indent="    "), "", *text]
        offered = [each for each in script.complete() if not each.name.startswith("_")]
        # Show the fields before the methods that pydantic adds to each model. Each editor has its own order.
        offered.sort(key=lambda each: each.type == "function" or each.name.startswith("model_"))
        more = [f"… and {len(offered) - MOST} more"] if len(offered) > MOST else []
        return [f"{each.name:<24}{KINDS.get(each.type, each.type)}" for each in offered[:MOST]] + more


PICTURES = (
    Picture("editor-families", f"{HEAD}    billing.", "Completion after billing and a dot: the families of the client"),
    Picture(
        "editor-arguments", f"{HEAD}    billing.payments.reverse(", "The signature of payments.reverse with its text"
    ),
    Picture("editor-fields", f"{HEAD}{FIRST}    payment.", "Completion on the result: the fields of Payment"),
    Picture(
        "editor-items",
        f"{HEAD}    for account in billing.accounts.list(limit=2):\n        account.",
        "Completion on an item of a list: the fields of Account",
    ),
)


def draw(picture: Picture) -> str:
    """Draw the code, and the suggestions below its last line."""
    code, shown = picture.code.splitlines(), picture.lines()
    top = 14 + LINE * len(code) + 8
    height = top + LINE * len(shown) + 22
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img" aria-labelledby="title">',
        f'<title id="title">{escape(picture.title)}</title>',
        f"<style>{STYLE}</style>",
        f'<rect class="page" width="{WIDTH}" height="{height}" rx="6"/>',
    ]
    parts += [f'<text x="14" y="{28 + LINE * number}">{escape(each)}</text>' for number, each in enumerate(code)]
    parts.append(f'<rect class="box" x="14" y="{top}" width="{WIDTH - 28}" height="{LINE * len(shown) + 12}" rx="3"/>')
    parts += [f'<text x="24" y="{top + 21 + LINE * number}">{escape(each)}</text>' for number, each in enumerate(shown)]
    return "\n".join([*parts, "</svg>", ""])


def main() -> None:
    """Write the pictures, or check them."""
    different: list[str] = []
    for picture in PICTURES:
        path, drawn = ASSETS / f"{picture.name}.svg", draw(picture)
        if not path.exists() or path.read_text(encoding="utf-8") != drawn:
            different.append(path.name)
        if "--check" not in sys.argv[1:]:
            path.write_text(drawn, encoding="utf-8")
    if "--check" in sys.argv[1:] and different:
        sys.exit("\n".join(["not as scripts/editor_pictures.py draws them:", *different]))


if __name__ == "__main__":
    main()
