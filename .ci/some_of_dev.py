"""Print the requirements of the extra `dev` for the given packages: `python .ci/some_of_dev.py pytest h2`."""

import re
import sys
import tomllib
from pathlib import Path


def main(names: set[str]) -> None:
    """Print each requirement on its own line."""
    extras = tomllib.loads(Path("pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    found = {re.split(r"[<>=\[;]", each)[0]: each for each in extras["dev"]}
    for name in sorted(names):
        print(found[name])


if __name__ == "__main__":
    main(set(sys.argv[1:]))
