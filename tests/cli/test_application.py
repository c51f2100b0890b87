"""The command itself: help, the version, typed credentials, a missing extra, pipes, and imports (H161)."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer

from cli.kit import Shell
from subscribekit import __version__, cli
from subscribekit.cli.application import application
from subscribekit.cli.refused import _VARIABLE
from subscribekit.sandbox.platform import Platform

CLEAN = {name: value for name, value in os.environ.items() if not name.startswith("SUBSCRIBEKIT_")}


def python(*arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments], env={**CLEAN, **more}, capture_output=True, text=True, check=False, timeout=60
    )


def test_help_names_the_commands_and_the_exit_codes(shell: Shell) -> None:
    done = shell("--help")
    assert done.code == 0
    for word in ("doctor", "call", "export", "sandbox", "3 not sent", "4 unknown outcome"):
        assert word in " ".join(done.out.split())
    assert shell().code == 2
    assert shell("--version").out == f"subscribekit {__version__}\n"
    assert "Did you mean 'doctor'" in shell("docter").err


@pytest.mark.parametrize("option", sorted(_VARIABLE))
def test_a_typed_credential_is_refused_and_not_repeated(shell: Shell, platform: Platform, option: str) -> None:
    for form in ([option, "hunter2"], [f"{option}=hunter2"]):
        done = shell("call", "billing.accounts.list", *form)
        assert done.code == 2
        assert "hunter2" not in done.out + done.err
        assert f"SUBSCRIBEKIT_PRODUCTION_{_VARIABLE[option]}" in done.err
    assert platform.requests == []


def test_a_variable_after_the_command_is_refused(shell: Shell) -> None:
    done = shell("doctor", "SUBSCRIBEKIT_STAGING_API_KEY=hunter2")
    assert done.code == 2
    assert "set it before the command" in done.err
    assert "hunter2" not in done.err


def test_a_command_works_without_streams(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", None)
    monkeypatch.setattr(sys, "stderr", None)
    assert cli.main(["call", "billing.accounts.list", "--environment", "sandbox"]) == 0
    assert cli.main(["call", "billing.accounts.retrieve", "nobody", "--environment", "sandbox"]) == 1
    for opened in (sys.stdout, sys.stderr):
        opened.close()


def test_a_missing_extra_is_explained_in_one_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in list(sys.modules):
        if name.partition(".")[0] in ("typer", "rich") or name.startswith("subscribekit.cli."):
            monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "typer", None)
    assert cli.main(["doctor"]) == 2
    assert (
        capsys.readouterr().err == "The command line requires the 'cli' extra; run: pip install 'subscribekit[cli]'\n"
    )


def test_importing_the_clients_does_not_load_the_command_line() -> None:
    code = (
        "import sys, subscribekit.billing, subscribekit.gateway, subscribekit.user_mgmt, subscribekit.storefront; "
        "import subscribekit.sandbox, subscribekit.cli; "
        "print(sorted(n for n in sys.modules if n.split('.')[0] == 'typer' or 'kit.cli.' in n))"
    )
    done = python("-c", code)
    assert done.stdout == "[]\n", done.stderr


@pytest.mark.posix("there is no bash")
def test_the_command_runs_as_a_module_and_survives_a_closed_pipe() -> None:
    module = f"{sys.executable} -W error -m subscribekit"
    line = f"{module} call billing.accounts.list --environment sandbox --json | head -n 1; echo ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", line], env=CLEAN, capture_output=True, text=True, check=True, timeout=60)
    assert '"id":"acct-0001"' in done.stdout
    assert done.stdout.endswith("\n0\n")
    assert done.stderr == ""


def test_the_console_script_is_main() -> None:
    text = (Path(cli.__file__).parents[3] / "pyproject.toml").read_text()
    assert '[project.scripts]\nsubscribekit = "subscribekit.cli:main"' in text


def test_the_sandbox_has_its_own_options(shell: Shell, capsys: pytest.CaptureFixture[str]) -> None:
    done = shell("sandbox", "--help")
    assert done.code == 0
    assert "--real-time" in done.out
    assert shell("sandbox", "--port", "70000").code == 2


@pytest.mark.parametrize(("served", "code"), [(0, 0), (1, 2)])
def test_the_exit_code_of_the_sandbox(shell: Shell, monkeypatch: pytest.MonkeyPatch, served: int, code: int) -> None:
    monkeypatch.setattr("subscribekit.sandbox.__main__.main", lambda _: served)
    assert shell("sandbox").code == code


def test_a_ca_file_without_a_certificate_is_refused(shell: Shell, tmp_path: Path) -> None:
    file = tmp_path / "authority.pem"
    file.write_text("nonsense")
    done = shell("call", "billing.accounts.list", "--ca-file", str(file))
    assert done.code == 2
    assert "--ca-file" in done.err


def commands_of(command: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    """Yield the commands in a group, with their names. Typer may bundle its own click, so the types are unknown."""
    below = getattr(command, "commands", {})
    if not below:
        yield name, command
    for each in below:
        yield from commands_of(below[each], f"{name} {each}")


WORDS = (["bulk"], ["export"], ["reconcile"], ["doctor"], ["sandbox"], ["call", "billing.payments.reverse"])


def test_every_switch_is_off_by_default() -> None:
    switches = {
        f"{name} {each.name}": each.default
        for words in WORDS
        for name, command in commands_of(typer.main.get_command(application(words)))
        for each in command.params
        if getattr(each, "is_flag", False) and each.name != "help"
    }
    assert len(switches) > 20
    assert {name for name, default in switches.items() if default} == set()
