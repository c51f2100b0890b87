"""Creates the function that typer calls for a command."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from functools import wraps

from .output.outcomes import Code, ending


def command_of(work: Callable[..., Code], typed: Sequence[inspect.Parameter] = ()) -> Callable[..., None]:
    """Return the function that typer calls when a user runs the command.

    Args:
        work: The function to run. The keyword parameters of `work` become the arguments and options of the command.
            Instead of the parameter `connection`, the command has the options that are needed to create a connection.
        typed: Further arguments and options, for the arguments of an operation. `work` receives the values as the user
            typed them.
    """
    own = [
        each for each in inspect.signature(work, eval_str=True).parameters.values() if each.kind is each.KEYWORD_ONLY
    ]
    connect = next(each.annotation for each in own if each.name == "connection")
    places = inspect.signature(connect, eval_str=True).parameters
    parameters = [*typed]
    for each in own:
        parameters += places.values() if each.name == "connection" else [each]
    parameters.sort(key=lambda each: each.default is not each.empty)  # required parameters come first

    @wraps(work)
    def run(**given: object) -> None:
        connection = connect(**{name: given.pop(name) for name in places})
        ending(lambda: work(**given, connection=connection))

    run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]  # typer reads it
    run.__annotations__ = {each.name: each.annotation for each in parameters}
    return run
