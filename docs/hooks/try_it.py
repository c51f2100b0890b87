"""Adds to a built site what its page "Try it" runs in the reader's browser.

    python docs/hooks/try_it.py SITE

Pyodide comes from npm; the package is built from this checkout, and what it needs is taken in the versions that are
installed here. All of it becomes files of the site, about 16 MB, so the page loads nothing from elsewhere. Where
something cannot be had, the script says what, exits with 3 and leaves the site as it is; the page says that it cannot
run. `node docs/hooks/check_try_it.mjs SITE` then runs the page's cells.
"""

import json
import shutil
import subprocess
import sys
import tarfile
import tempfile
from importlib.metadata import distribution
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
NOT_HERE = 3
"""Exit code when something cannot be had."""
PYODIDE = "314.0.7"
FILES = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "pyodide-lock.json", "python_stdlib.zip")
INTERPRETER = ("--python-version", "314", "--implementation", "cp", "--abi", "cp314")
PLATFORM = ("--platform", "pyemscripten_2026_0_wasm32", "--only-binary", ":all:")
"""The Python and the platform of that Pyodide."""
BROWSER = {"extra": "", "platform_system": "Emscripten", "python_version": "3.14", "sys_platform": "emscripten"}
"""What the markers of requirements are compared with."""


class MissingError(Exception):
    """Something that the page needs cannot be had here."""


def pinned(package: str = "subscribekit") -> list[str]:
    """Return what a package needs in the browser, in the versions that are installed; extras are left out."""
    found: dict[str, str] = {}
    waiting = [package]
    while waiting:
        for each in distribution(waiting.pop()).requires or ():
            requirement = Requirement(each)
            name = canonicalize_name(requirement.name)
            if (requirement.marker is None or requirement.marker.evaluate(BROWSER)) and name not in found:
                found[name] = distribution(name).version
                waiting.append(name)
    return [f"{name}=={version}" for name, version in sorted(found.items())]


def run(what: str, *command: str, folder: Path) -> None:
    """Run a command, or say what could not be had."""
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)  # noqa: S603  our own
    except FileNotFoundError:
        raise MissingError(f"{what}: there is no {command[0]} on this machine") from None
    if done.returncode:
        raise MissingError(f"{what}: {' '.join(done.stderr.split()[-30:])}")


def collect(folder: Path) -> None:
    """Put Pyodide, the wheels and their list into a folder."""
    run("Pyodide", "npm", "pack", f"pyodide@{PYODIDE}", folder=folder)
    packed = folder / f"pyodide-{PYODIDE}.tgz"
    with tarfile.open(packed) as archive:
        for name in FILES:
            content = archive.extractfile(f"package/{name}")
            if content is None:
                raise MissingError(f"Pyodide: it has no {name}")
            (folder / name).write_bytes(content.read())
    packed.unlink()
    pip = (sys.executable, "-m", "pip")
    run("what the package needs", *pip, "download", "--no-deps", *PLATFORM, *INTERPRETER, *pinned(), folder=folder)
    # Where the rest could be had, a package that cannot be built is its own fault.
    subprocess.run([*pip, "wheel", "--no-deps", "--wheel-dir", ".", str(ROOT)], cwd=folder, check=True)  # noqa: S603  as above
    wheels = sorted(path.name for path in folder.glob("*.whl"))
    (folder / "wheels.json").write_text(json.dumps(wheels), encoding="utf-8")


def offer(site: Path) -> None:
    """Show the page in the navigation of a site that has the files."""
    script = site / "javascripts" / "try-it.js"
    text = script.read_text(encoding="utf-8")
    script.write_text(text.replace("const hasFiles = false;", "const hasFiles = true;"), encoding="utf-8")


def main(site: Path) -> bool:
    """Add the files to a site, and tell whether that could be done."""
    with tempfile.TemporaryDirectory() as work:
        folder = Path(work, "try")
        folder.mkdir()
        try:
            collect(folder)
        except MissingError as missing:
            print(f'The page "Try it" will not run in this site. It needs {missing}')  # noqa: T201  a command
            return False
        shutil.copytree(folder, site / "try", dirs_exist_ok=True)
    offer(site)
    print(f'The page "Try it" runs; its files are in {site / "try"}')  # noqa: T201  a command
    return True


if __name__ == "__main__":
    sys.exit(0 if main(Path(sys.argv[1])) else NOT_HERE)
