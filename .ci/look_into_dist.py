"""Check that a wheel and an sdist contain the necessary files: `python .ci/look_into_dist.py dist/*`."""

import sys
import tarfile
import zipfile
from email import message_from_bytes
from pathlib import Path

FIELDS = ("Name", "Version", "Summary", "Requires-Python", "License-Expression", "Author", "Classifier", "Keywords")
SOURCES = {
    "README.md", "CHANGELOG.md", "LICENSE", "pyproject.toml", "mkdocs.yml", "docs/index.md", "examples/quickstart.py",
    "tests/test_docs.py", "tests/conftest.py", "SECURITY.md", "hatch_build.py", "sbom.cdx.json",
}  # fmt: skip
LARGEST = 1_250_000
"""The largest size of a wheel in bytes. Generated classes and examples of the OpenAPI document need about 300,000."""


def main(paths: list[str]) -> None:
    """Check both files, and print the number of files in each."""
    wheel = next(path for path in paths if path.endswith(".whl"))
    sdist = next(path for path in paths if path.endswith(".tar.gz"))
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        metadata = message_from_bytes(archive.read(next(name for name in names if name.endswith("/METADATA"))))
    with tarfile.open(sdist) as archive:
        sources = {name.partition("/")[2] for name in archive.getnames()}
    wanted = {
        "__init__.py", "py.typed", "_docs/openapi.json", "_docs/llms.txt", "_docs/SKILL.md",
        "sandbox/server/status_page.html",
    }  # fmt: skip
    missing = [
        *({f"subscribekit/{name}" for name in wanted} - names),
        *(SOURCES - sources),
        *(field for field in FIELDS if not metadata[field]),
        *(["the bill of materials"] if not any(name.endswith("sboms/sbom.cdx.json") for name in names) else []),
        *(["LICENSE"] if not any(name.endswith("licenses/LICENSE") for name in names) else []),
    ]
    surplus = sorted(name for name in names if not name.startswith("subscribekit"))
    if missing or surplus:
        sys.exit(f"missing: {missing}, in the wheel by mistake: {surplus}")
    if (size := Path(wheel).stat().st_size) > LARGEST:
        sys.exit(f"the wheel has {size:,} bytes, more than {LARGEST:,}")
    print(metadata["Name"], metadata["Version"], "-", len(names), "files in the wheel,", len(sources), "in the sdist")


if __name__ == "__main__":
    main(sys.argv[1:])
