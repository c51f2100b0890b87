"""Runs a program of a merchant against its own sandbox, and counts the effects."""

from __future__ import annotations

import ast
import os
import tempfile
from collections.abc import Iterator
from contextlib import redirect_stdout
from dataclasses import dataclass
from decimal import Decimal
from io import StringIO
from pathlib import Path
from typing import Any

from subscribekit.errors import SubscribekitError
from subscribekit.sandbox import Sandbox

SETTING = """\
import csv
from datetime import UTC, datetime
from decimal import Decimal
from subscribekit import ME, BillingClient, new_transaction_id
from subscribekit.bulk import Run, StopPolicy
from subscribekit.errors import *
from subscribekit.models import *
from subscribekit.models.money import refundable_amount
from subscribekit.models.subscription_changes import *
from subscribekit.sandbox.faults import *
billing, gateway = sandbox.billing(), sandbox.gateway()
"""
COUNTED = {"refunds": "refund", "payments": "payment", "subscriptions": "subscription"}
STATES = {"Captured": "charge", "Refunded": "charge", "Authorized": "authorization"}


@dataclass(frozen=True)
class Task:
    """A task of a merchant.

    Attributes:
        title: The task.
        trouble: Code that adds faults to the sandbox, or an empty string.
        right: The program that follows the pages.
        wrong: The program that follows habits from other libraries.
    """

    title: str
    trouble: str
    right: str
    wrong: str


def effect_of(task: Task, program: str) -> str:
    """Run a program and describe its effects. An error that the program doesn't handle ends it."""
    sandbox = Sandbox()
    before = _state(sandbox)
    names: dict[str, Any] = {"sandbox": sandbox}
    exec(SETTING + task.trouble, names)
    ended = ""
    here = Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            with redirect_stdout(StringIO()):
                exec(compile(ast.parse(program), task.title, "exec"), names)
        except (SubscribekitError, TypeError, ValueError) as error:
            ended = type(error).__name__
        finally:
            os.chdir(here)
    parts = [*_difference(before, _state(sandbox)), *([f"ends with {ended}"] if ended else [])]
    return ", ".join(parts) or "nothing"


def _state(sandbox: Sandbox) -> dict[str, list[Decimal]]:
    store = sandbox.service.store
    found = {kind: list[Decimal]() for kind in STATES.values()}
    for each in store["transactions"]:
        log: Any = each["status_log"]
        found.setdefault(STATES.get(log[0]["status"], ""), []).append(Decimal(str(each["amount"])))
    found.pop("", None)
    found |= {kind: [Decimal(str(each.get("amount") or 0)) for each in store[name]] for name, kind in COUNTED.items()}
    moved = [Decimal(str(each.fields["amount"])) for each in sandbox.entitlement_charges]
    found["entitlement charge"] = [amount for amount in moved if amount > 0]
    found["entitlement refund"] = [amount for amount in moved if amount < 0]
    credit = sandbox.billing().accounts.retrieve_credit("acct-0001")
    found["credit"] = [each.amount or Decimal(0) for each in credit.currency_amounts or ()]
    return found


def _difference(before: dict[str, list[Decimal]], after: dict[str, list[Decimal]]) -> Iterator[str]:
    for kind, amounts in after.items():
        count, total = len(amounts) - len(before[kind]), sum(amounts) - sum(before[kind])
        if count or total:
            of = f" {'of' if count == 1 else 'totaling'} {abs(total)}" if total else ""
            yield f"{count} {kind if count == 1 else f'{kind}s'}{of}"
