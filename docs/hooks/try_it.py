"""Add the files to a built site that its page "Try it" runs in the reader's browser.

    python docs/hooks/try_it.py SITE

Pyodide comes from npm. The package is built from this checkout, and its dependencies have the versions that are
installed in this environment. All files, about 16 MB, become part of the site, so the page loads nothing from other
sites. If something isn't available, the script prints its name, exits with status 3, and doesn't change the site. The
page then says that it can't run. After this script, `node docs/hooks/check_try_it.mjs SITE` runs the cells of the page.
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
"""The exit status if something isn't available."""
PYODIDE = "314.0.7"
FILES = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "pyodide-lock.json", "python_stdlib.zip")
INTERPRETER = ("--python-version", "314", "--implementation", "cp", "--abi", "cp314")
PLATFORM = ("--platform", "pyemscripten_2026_0_wasm32", "--only-binary", ":all:")
"""The platform of this Pyodide version, for pip."""
BROWSER = {"extra": "", "platform_system": "Emscripten", "python_version": "3.14", "sys_platform": "emscripten"}
"""The environment in which the markers of requirements are evaluated."""


class MissingError(Exception):
    """Something that the page needs isn't available."""


def pinned(package: str = "subscribekit") -> list[str]:
    """Return the dependencies of a package in the browser, with their installed versions and without extras."""
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
    """Run a command. If it fails, raise an error with the name of the missing thing."""
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)  # noqa: S603  a fixed command
    except FileNotFoundError:
        raise MissingError(f"{what}: there is no {command[0]} on this machine") from None
    if done.returncode:
        raise MissingError(f"{what}: {' '.join(done.stderr.split()[-30:])}")


def collect(folder: Path) -> None:
    """Put Pyodide, the wheels, and a list of the wheels into a folder."""
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
    # The downloads succeeded, so a failed build is an error of the package and must fail the script.
    subprocess.run([*pip, "wheel", "--no-deps", "--wheel-dir", ".", str(ROOT)], cwd=folder, check=True)  # noqa: S603  as above
    wheels = sorted(path.name for path in folder.glob("*.whl"))
    (folder / "wheels.json").write_text(json.dumps(wheels), encoding="utf-8")


def offer(site: Path) -> None:
    """Show the page in the navigation of the site, which has the files now."""
    script = site / "javascripts" / "try-it.js"
    text = script.read_text(encoding="utf-8")
    script.write_text(text.replace("const hasFiles = false;", "const hasFiles = true;"), encoding="utf-8")


def main(site: Path) -> bool:
    """Add the files to a site, and return whether everything was available."""
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
