"""Print constraints with the oldest version of each dependency that pyproject.toml allows, for every extra."""

import re
import tomllib
from pathlib import Path

OF_THEIR_TIME = ("click==8.3.*", "pyparsing==3.2.*")
"""Dependencies of the oldest versions. With newer ones, the oldest versions would use names that are now deprecated."""


def main() -> None:
    """Print the oldest versions, and the pinned versions of all other packages."""
    project = tomllib.loads(Path("pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = [wants for name, wants in project["optional-dependencies"].items() if name != "dev"]
    floors = dict(_floor(each) for each in sum(extras, project["dependencies"]) if not each.startswith("subscribekit"))
    for name, version in floors.items():
        print(f"{name}=={version}")
    print(*OF_THEIR_TIME, sep="\n")
    families = {
        re.split(r"[-_]", name.lower())[0] for name in (*floors, "click", "importlib", "pyparsing", "starlette")
    }
    for line in Path(".ci/constraints.txt").read_text(encoding="utf-8").splitlines():
        if re.split(r"[-_=]", line.lower())[0] not in families:  # for example, pydantic needs its own pydantic-core
            print(line)


def _floor(wanted: str) -> tuple[str, str]:
    found = re.fullmatch(r"([\w.-]+)(?:\[\w+\])?>=([\w.]+)(?:,<.*)?", wanted)
    if found is None:
        raise SystemExit(f"no floor: {wanted}")
    return found[1], found[2]


if __name__ == "__main__":
    main()
