"""Decides how many cases a test runs: a sample with the README's test command, and all of them in `.ci/run`."""

from __future__ import annotations

import itertools
import os
import random
from collections.abc import Iterator
from zlib import crc32

import pytest

IS_HEAVY = "SUBSCRIBEKIT_HEAVY" in os.environ
"""Whether tests run all cases."""

SHARE = 1 if IS_HEAVY else 4
"""A test runs one of this many points or examples."""

IN_GATE = pytest.mark.skipif(not IS_HEAVY, reason="takes seconds: SUBSCRIBEKIT_HEAVY=1, as in .ci/run")
"""Marks tests that the README's test command skips."""


def is_of_style(style: str, *cell: object) -> bool:
    """Return whether a cell of a grid runs in this style: in both styles in the gate, and otherwise in one of them."""
    return IS_HEAVY or (crc32(" ".join(map(str, cell)).encode()) % 2 == 0) == (style == "async")


def points(step: int = 1) -> Iterator[int]:
    """Return the numbers 1, 1 + step, and so on, or a sample with a random start, which a failed test prints."""
    first = 1 + step * random.SystemRandom().randrange(SHARE)
    print(f"points {first}, {first + step * SHARE}, and so on; SUBSCRIBEKIT_HEAVY=1 goes through all")
    return itertools.count(first, step * SHARE)
