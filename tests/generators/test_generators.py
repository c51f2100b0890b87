"""The code that generators write from the document works with the sandbox (H491)."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from generators.conftest import DOCUMENT, program, run
from generators.serving import served
from kit.calls import GROUPS
from subscribekit.sandbox import Sandbox
from subscribekit.sandbox.server import SandboxServer

HERE = Path(__file__).parent


@pytest.mark.hazard("H491")
def test_openapi_python_client_makes_a_client_without_a_warning_that_calls_the_sandbox(tmp_path: Path) -> None:
    tool = program("openapi-python-client")
    name = "subscription_billing_client"
    output = run(tool, "generate", "--path", str(DOCUMENT), "--output-path", name, "--meta", "none", at=tmp_path)
    assert output.splitlines() == [f"Generating {name}"]
    script = (HERE / "generated_calls.py").read_text(encoding="utf-8")
    (tmp_path / "calls.py").write_text(script, encoding="utf-8")
    with SandboxServer(plain=True) as server:
        addresses = [server.addresses[group] for group in GROUPS]
        assert run(program("python"), "calls.py", *addresses, at=tmp_path) == "called\n"


@pytest.mark.hazard("H491")
def test_datamodel_code_generator_makes_models_that_mypy_accepts_and_that_read_each_example(tmp_path: Path) -> None:
    options = ["--input-file-type", "openapi", "--output-model-type", "pydantic_v2.BaseModel", "--use-annotated"]
    options += ["--target-python-version", "3.11", "--formatters", "builtin"]
    tool = program("datamodel-codegen")
    output = run(tool, "--input", str(DOCUMENT), "--output", "models.py", *options, at=tmp_path)
    assert "arning" not in output
    assert "no issues found" in run(program("mypy"), "--strict", "models.py", at=tmp_path)
    script = (HERE / "example_models.py").read_text(encoding="utf-8")
    (tmp_path / "examples.py").write_text(script, encoding="utf-8")
    schemas = json.loads(DOCUMENT.read_text(encoding="utf-8"))["components"]["schemas"]
    assert run(program("python"), "examples.py", str(DOCUMENT), at=tmp_path) == f"{len(schemas)} read\n"


@pytest.mark.hazard("H494")
def test_schemathesis_finds_no_response_that_the_document_does_not_describe(tmp_path: Path) -> None:
    """Schemathesis prints the seed if the test fails, so that you can run it again with this seed."""
    checks = "not_a_server_error,status_code_conformance,content_type_conformance,response_headers_conformance"
    checks += ",response_schema_conformance"
    options = ["--phases", "examples,fuzzing", "--max-examples", "1", "--checks", checks, "--continue-on-failure"]
    options += ["--no-color", "--generation-database", "none"]
    with served(Sandbox(), signed_in=True) as address:
        output = run(program("schemathesis"), "run", str(DOCUMENT), "--url", address, *options, at=tmp_path)
    assert "Tested: " in output


@pytest.mark.hazard("H491")
def test_spectral_finds_nothing(tmp_path: Path) -> None:
    (tmp_path / "rules.yaml").write_text('extends: ["spectral:oas"]\n', encoding="utf-8")
    options = ["--ruleset", "rules.yaml", "--fail-severity", "hint"]
    assert "No results" in run(program("spectral"), "lint", *options, str(DOCUMENT), at=tmp_path)


@pytest.mark.hazard("H491")
def test_redocly_finds_nothing(tmp_path: Path) -> None:
    output = run(program("redocly"), "lint", str(DOCUMENT), at=tmp_path)
    assert "valid" in output
    assert not re.search(r"You have \d+ warning", output), output
