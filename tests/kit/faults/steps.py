"""The steps of a script. Each step has the name of the call that created it, and a stage in which it acts."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, ParamSpec

from kit.faults.wire import Exchange

Stage = Literal["connect", "ready", "head", "request"]
"""The stage of a step: a new connection, after its TLS handshake, before a request's body is read, or after it."""

Act = Callable[[Exchange], None]
P = ParamSpec("P")


@dataclass(frozen=True, slots=True)
class Step:
    """One action of the server."""

    name: str
    stage: Stage
    act: Act

    @property
    def takes_connection(self) -> bool:
        """Whether the step acts on a new connection, and not on a request."""
        return self.stage in {"connect", "ready"}

    def __str__(self) -> str:
        return self.name


def step(stage: Stage) -> Callable[[Callable[P, Act]], Callable[P, Step]]:
    """Turn a function that returns an action into one that returns a step named like the call."""

    def decorate(factory: Callable[P, Act]) -> Callable[P, Step]:
        @functools.wraps(factory)
        def make(*args: P.args, **kwargs: P.kwargs) -> Step:
            shown = [_short(value) for value in args] + [f"{name}={_short(value)}" for name, value in kwargs.items()]
            return Step(f"{factory.__name__}({', '.join(shown)})", stage, factory(*args, **kwargs))

        return make

    return decorate


def _short(value: object) -> str:
    text = value if isinstance(value, str) else repr(value)
    return text if len(text) <= 24 else text[:21] + "..."
