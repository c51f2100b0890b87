"""Checks what `?` in IPython shows for an operation, in every form."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

pytest.importorskip("IPython")

_ASK = """
import json
from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config
from subscribekit import AsyncBillingClient, BillingClient

settings = Config()
settings.HistoryManager.enabled = False
shell = InteractiveShell(config=settings)
shell.push({"billing": BillingClient(environment="sandbox"), "later": AsyncBillingClient(environment="sandbox")})
names = {names}
print(json.dumps([[shell.object_inspect(name)[part] for part in ("definition", "docstring")] for name in names]))
"""
_STYLES = {
    "billing.": "subscribekit.models.billing.Account",
    "later.": "-> subscribekit.models.billing.Account",  # as for any `async def`
    "billing.with_raw_response.": "Response[subscribekit.models.billing.Account]",
    "billing.prepare.": "PreparedRequest[subscribekit.models.billing.Account]",
}


def test_the_question_mark_shows_the_signature_and_docstring() -> None:
    names = [*(f"{style}accounts.retrieve" for style in _STYLES), "billing.accounts", "billing.with_options"]
    done = subprocess.run(
        [sys.executable, "-c", _ASK.replace("{names}", repr(names))], capture_output=True, text=True, check=True
    )
    *operations, family, options = json.loads(done.stdout.splitlines()[-1])
    for (definition, text), (style, result) in zip(operations, _STYLES.items(), strict=True):
        assert definition.startswith(f"{style}accounts.retrieve(account: str) -> ")
        assert definition.endswith(result)
        assert "etrieve an account with its payment methods" in text.partition("\n")[0]
        assert ("NotFoundError: The account doesn't exist." in text) == (style in ("billing.", "later."))
    assert family[1].startswith("Accounts: the records of end customers")
    assert "retry" in options[0]
    assert options[1]
