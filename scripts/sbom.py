"""Write the package's bill of materials, which the wheel contains (PEP 770, CycloneDX).

    python scripts/sbom.py           rewrite sbom.cdx.json
    python scripts/sbom.py --check   fail if sbom.cdx.json isn't current

The wheel contains no third-party code. The bill of materials lists the dependencies with the versions that the package
allows, and not the versions of an installed environment.
"""

import json
import re
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parent.parent
FILE = ROOT / "sbom.cdx.json"


def bill() -> str:
    """Return the bill of materials as text."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    version = re.findall(r'__version__ = "(.+)"', (ROOT / "src/subscribekit/_version.py").read_text(encoding="utf-8"))[
        0
    ]
    own = f"pkg:pypi/subscribekit@{version}"
    components = [_component(each, "required") for each in project["dependencies"]]
    for extra, wanted in sorted(project["optional-dependencies"].items()):
        if extra not in {"dev", "examples"}:
            components += [_component(each, "optional") for each in wanted if not each.startswith("subscribekit")]
    document = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "component": {
                "type": "library",
                "bom-ref": own,
                "name": "subscribekit",
                "version": version,
                "purl": own,
                "licenses": [{"license": {"id": project["license"]}}],
            }
        },
        "components": components,
        "dependencies": [{"ref": own, "dependsOn": [each["bom-ref"] for each in components]}],
    }
    return json.dumps(document, indent=2) + "\n"


def _component(wanted: str, scope: str) -> dict[str, object]:
    name, versions = re.fullmatch(r"([\w.-]+)(?:\[\w+\])?(.*)", wanted).groups()  # type: ignore[union-attr]  # it matches pyproject.toml
    return {
        "type": "library",
        "bom-ref": f"pkg:pypi/{name}",
        "name": name,
        "scope": scope,
        "purl": f"pkg:pypi/{name}",
        "properties": [{"name": "subscribekit:versions", "value": versions}],
    }


def main() -> int:
    """Write the file, or check it."""
    text = bill()
    if "--check" not in sys.argv:
        FILE.write_text(text, encoding="utf-8", newline="\n")
        return 0
    if FILE.read_text(encoding="utf-8") != text:
        print("sbom.cdx.json differs from pyproject.toml: run scripts/sbom.py")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
