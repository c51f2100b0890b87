"""The faces are as the script writes them, name what runs, and stay short."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import subscribekit
from looped import looped
from subscribekit._core.client.binding import Resource

ROOT = Path(__file__).parent.parent.parent
FACES = Path(subscribekit.__file__).parent / "_faces"
STUBS = sorted(FACES.rglob("*.pyi"))
GROUPS = ("Billing", "Gateway", "UserMgmt", "Storefront")


def test_the_faces_are_as_the_script_writes_them() -> None:
    done = subprocess.run(
        [sys.executable, str(ROOT / "scripts" / "faces.py"), "--check"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_the_faces_stay_within_their_budget() -> None:
    """Only the two clients have whole docstrings; what derives from them has one line for each operation."""
    assert sum(path.read_text(encoding="utf-8").count("\n") for path in STUBS) <= 9_000


def test_nothing_of_them_runs() -> None:
    assert len(STUBS) > 80
    assert not list(FACES.rglob("*.py"))


@looped("path", STUBS)
def test_a_face_is_short_plain_and_documented(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    tree = ast.parse(text)
    assert text.count("\n") <= 450
    assert ast.get_docstring(tree)
    for kind in (node for node in tree.body if isinstance(node, ast.ClassDef)):
        assert ast.get_docstring(kind)
        for each in kind.body[1:]:
            assert isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef)
            assert ast.get_docstring(each), f"{kind.name}.{each.name}"
            assert {ast.unparse(mark) for mark in each.decorator_list} <= {"property", "overload"}
            assert each.returns is not None


def members(kind: ast.ClassDef) -> set[str]:
    return {each.name for each in kind.body if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef)}


def face(kind: type) -> ast.ClassDef:
    """The class that checkers see for one that runs; its module and name lead there."""
    path = FACES.parent.joinpath(*kind.__module__.split(".")[1:]).with_suffix(".pyi")
    classes = {node.name: node for node in ast.parse(path.read_text()).body if isinstance(node, ast.ClassDef)}
    return classes[kind.__name__]


@pytest.mark.hazard("H137")
@pytest.mark.parametrize("group", GROUPS)
def test_what_runs_is_called_as_what_is_checked_and_has_the_same_methods(group: str) -> None:
    blocking = getattr(subscribekit, f"{group}Client")(environment="sandbox")
    asynchronous = getattr(subscribekit, f"Async{group}Client")(environment="sandbox")
    of_clients = {"with_raw_response", "prepare", "with_options"}
    for client in (blocking, asynchronous):
        for holder in (client.with_raw_response, client.prepare):
            assert members(face(type(holder))) == {name for name in dir(holder) if not name.startswith("_")}
        for holder in (client, client.with_raw_response, client.prepare):
            families: list[Any] = [getattr(holder, name) for name in dir(holder)]
            for family in families:
                if isinstance(family, Resource):
                    assert members(face(type(family))) == {name for name in dir(family) if not name.startswith("_")}
        stub = FACES / ("blocking" if client is blocking else "asynchronous")
        path = stub / {"Billing": "billing/client", "UserMgmt": "user_mgmt"}.get(group, group.lower())
        text = path.with_suffix(".pyi").read_text()
        name = f"{'Blocking' if client is blocking else 'Async'}{group}Resources"
        shown = next(each for each in ast.parse(text).body if isinstance(each, ast.ClassDef) and each.name == name)
        base = {"environment", "base_url", "http_backend", "send", "resolve", "close", "aclose"}
        assert (members(shown) - {"__init__"}) | base == {
            each for each in dir(client) if not each.startswith("_")
        } | base
        assert of_clients <= members(shown)
