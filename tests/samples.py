"""How much a test goes through: a part in README's test command, everything in `.ci/run`."""

from __future__ import annotations

import itertools
import os
import random
from collections.abc import Iterator
from zlib import crc32

import pytest

IS_HEAVY = "SUBSCRIBEKIT_HEAVY" in os.environ
"""Whether tests go through everything."""

SHARE = 1 if IS_HEAVY else 4
"""Of so many points or examples, a test takes one."""

IN_GATE = pytest.mark.skipif(not IS_HEAVY, reason="takes seconds: SUBSCRIBEKIT_HEAVY=1, as in .ci/run")
"""Marks what README's command leaves out."""


def is_of_style(style: str, *cell: object) -> bool:
    """Whether a cell of a grid runs in this style: every cell runs in both in the gate, and in one elsewhere."""
    return IS_HEAVY or (crc32(" ".join(map(str, cell)).encode()) % 2 == 0) == (style == "async")


def points(step: int = 1) -> Iterator[int]:
    """Return the numbers 1, 1 + step, and so on, or a share of them from a random one, which a failed test prints."""
    first = 1 + step * random.SystemRandom().randrange(SHARE)
    print(f"points {first}, {first + step * SHARE}, and so on; SUBSCRIBEKIT_HEAVY=1 goes through all")
    return itertools.count(first, step * SHARE)
