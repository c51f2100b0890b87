"""Fail if `[tool.subscribekit]` of pyproject.toml doesn't have all the facts that a release needs."""

import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parent.parent


def main() -> int:
    """Print the missing facts."""
    facts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["subscribekit"]
    missing = [name for name, value in facts.items() if not value]
    for name in missing:
        print(f"NOT READY FOR A RELEASE: tool.subscribekit.{name} of pyproject.toml is not filled in")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
