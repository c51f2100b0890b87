"""Checks that models are imported and built when they're first used, in any order and by many threads at once."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import models_public_names
import pytest

import subscribekit.models
from subscribekit.models import Model

FILES = sorted(path.stem for path in Path(subscribekit.models.__file__).parent.glob("*.py") if path.stem != "__init__")


def run(program: str, *options: str) -> str:
    """Run a program in a new interpreter, and return its output."""
    command = [sys.executable, "-W", "error", *options, "-c", program]
    return subprocess.run(command, check=True, capture_output=True, text=True, timeout=60).stdout


def test_the_package_alone_does_not_import_pydantic() -> None:
    program = (
        "import sys, subscribekit.models; print(sorted({'pydantic', 'pydantic_core', 'httpx'} & set(sys.modules)));"
        "dir(subscribekit.models); print('pydantic' in sys.modules);"
        "from subscribekit.models import Account; print('pydantic' in sys.modules)"
    )
    assert run(program).split("\n")[:3] == ["[]", "False", "True"]


def test_every_file_can_be_imported_first_and_its_models_built() -> None:
    program = (
        "import importlib, sys, pydantic\n"
        f"for name in {FILES!r}:\n"
        "    for loaded in [m for m in sys.modules if m.startswith('subscribekit')]: del sys.modules[loaded]\n"
        "    module = importlib.import_module('subscribekit.models.' + name)\n"
        "    for value in list(vars(module).values()):\n"
        "        if isinstance(value, type) and issubclass(value, pydantic.BaseModel) \\\n"
        "                and value.__module__ == module.__name__:\n"
        "            value.model_rebuild(force=True)\n"
        "print('built')\n"
    )
    assert run(program) == "built\n"


def test_only_public_names_resolve() -> None:
    for name in subscribekit.models.__all__:
        assert getattr(subscribekit.models, name) is not None
    assert set(subscribekit.models.__all__) <= set(dir(subscribekit.models))
    assert sorted(subscribekit.models.__all__, key=str) == sorted(set(subscribekit.models.__all__))
    with pytest.raises(AttributeError, match="Acount"):  # codespell:ignore
        _ = subscribekit.models.Acount  # codespell:ignore


def test_every_public_model_builds() -> None:
    built = 0
    for name in subscribekit.models.__all__:
        value = getattr(subscribekit.models, name)
        if isinstance(value, type) and issubclass(value, Model):
            assert value.model_rebuild(force=True)
            built += 1
    assert built > 90


def test_the_generated_lists_have_the_public_names_of_the_modules() -> None:
    """`python tests/models/models_public_names.py` generates the lists."""
    assert models_public_names.NAMES.read_text() == models_public_names.names_module()
    assert models_public_names.PACKAGE.read_text() == models_public_names.package()


def test_a_new_public_class_changes_the_generated_lists(monkeypatch: pytest.MonkeyPatch) -> None:
    more = models_public_names.public_names() | {"account": ["Account", "Novelty", "TaxExemption"]}
    monkeypatch.setattr(models_public_names, "public_names", lambda: more)
    assert '"account": ("Account", "Novelty", "TaxExemption")' in models_public_names.names_module()
    package = models_public_names.package()
    assert "from .account import Novelty as Novelty" in package


def test_many_threads_can_use_models_for_the_first_time_at_once() -> None:
    program = (
        "import sys, threading\n"
        "sys.setswitchinterval(1e-6)\n"
        "from subscribekit.models import Account, Subscription, Transaction, Campaign\n"
        "from subscribekit.models._base import read, write\n"
        "raw = {'id': 's1', 'account': {'id': 'a1', 'payment_methods': [{'id': 'p1'}]}, 'new': 1,\n"
        "       'next_billing': {'account': {'parent': {'id': 'root'}}, 'items': [{'sku': 'x'}]}}\n"
        "barrier, failures = threading.Barrier(16), []\n"
        "def use(kind, raw):\n"
        "    barrier.wait()\n"
        "    try:\n"
        "        assert write(read(kind, raw)) == raw\n"
        "        assert repr(read(kind, raw))\n"
        "        kind(id='x')\n"
        "    except BaseException as error:\n"
        "        failures.append(repr(error))\n"
        "jobs = [(Subscription, raw), (Account, raw['account']), (Transaction, raw['next_billing']),\n"
        "        (Campaign, {'id': 'c'})]\n"
        "threads = [threading.Thread(target=use, args=job) for job in jobs * 4]\n"
        "[thread.start() for thread in threads]; [thread.join() for thread in threads]\n"
        "print(failures)\n"
    )
    assert run(program) == "[]\n"


def test_a_model_is_built_completely_when_a_field_refers_to_it_with_a_value() -> None:
    """Pydantic creates the validator before the serializer, and another thread can use the model in between."""
    program = (
        "from subscribekit.models import Account, Payment\n"
        "from subscribekit.models._base import read\n"
        "Payment.model_rebuild()\n"
        "before = Account.__pydantic_complete__\n"
        "read(Payment, {'account': {'id': 'a1'}})\n"
        "print(before, Account.__pydantic_complete__)\n"
    )
    assert run(program) == "False True\n"


@pytest.mark.hazard("H460")
def test_an_import_resolves_the_types_of_all_fields() -> None:
    """Otherwise, pydantic searches for the types in the function that uses a model first (H460)."""
    program = (
        "import subscribekit.models as models\n"
        "kinds = [getattr(models, name) for name in models.__all__]\n"
        "print([kind.__name__ for kind in kinds if isinstance(kind, type) and issubclass(kind, models.Model)\n"
        "       and not kind.__pydantic_fields_complete__])\n"
    )
    assert run(program) == "[]\n"


@pytest.mark.hazard("H460")
def test_a_name_in_the_calling_function_does_not_change_a_model() -> None:
    program = (
        "from subscribekit import models\n"
        "class Transaction(models.Model):\n"
        "    pass\n"
        "def first_use(Transaction, Refund):\n"
        "    models.Subscription.model_rebuild()\n"
        "    read = models.Subscription.model_validate({'next_billing': {'id': 't1'}, 'most_recent_refunds': [{}]})\n"
        "    return type(read.next_billing), type(read.most_recent_refunds[0])\n"
        "print(first_use(Transaction, Transaction) == (models.Transaction, models.Refund))\n"
    )
    assert run(program) == "True\n"


@pytest.mark.hazard("H251")
def test_building_a_model_opens_no_file() -> None:
    """The modules that pydantic needs to build its first model are imported together with the models (H251)."""
    program = (
        "import sys\n"
        "from subscribekit.models import AccountAssociation\n"
        "opened = []\n"
        "sys.addaudithook(lambda event, found: opened.append(found[0]) if event in ('import', 'open') else None)\n"
        "AccountAssociation.model_rebuild()\n"
        "print(opened)\n"
    )
    assert run(program) == "[]\n"


@pytest.mark.posix("there is no fork")
def test_a_child_that_was_forked_during_a_build_can_build_models() -> None:
    program = (
        "import os\n"
        "from subscribekit.models import Account\n"
        "from subscribekit.models._deferred import DeferredModel\n"
        "from threading import Event, Thread\n"
        "held, free = Event(), Event()\n"
        "def hold():\n"
        "    with type(DeferredModel).building:\n"
        "        held.set()\n"
        "        free.wait()\n"
        "thread = Thread(target=hold)\n"
        "thread.start(); held.wait()\n"
        "child = os.fork()\n"
        "if child == 0:\n"
        "    os._exit(0 if Account(id='a').id == 'a' else 1)\n"
        "status = os.waitpid(child, 0)[1]\n"
        "free.set(); thread.join()\n"
        "print(status)\n"
    )
    # Python 3.12 warns about a fork in a process with threads.
    assert run(program, "-W", "ignore::DeprecationWarning") == "0\n"


def test_only_the_stored_module_imports_the_json_modules() -> None:
    program = (
        "import sys, importlib\n"
        f"for name in {[*(name for name in FILES if name != '_stored'), '_stored']!r}:\n"
        "    importlib.import_module('subscribekit.models.' + name)\n"
        "    print(name, [m for m in sys.modules if m.startswith('subscribekit.')\n"
        "           and not m.startswith('subscribekit.models')\n"
        "           and m.rpartition('.')[2] not in\n"
        "           ('_datetimes', '_decimals', '_interrupts', '_lazy', '_shown', '_version')])\n"
    )
    *before, stored = run(program).splitlines()
    assert [line for line in before if not line.endswith(" []")] == []
    assert stored == "_stored ['subscribekit._json_type', 'subscribekit._json']"
