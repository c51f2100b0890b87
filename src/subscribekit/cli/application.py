"""Defines the commands, and runs them."""

from __future__ import annotations

import os
import traceback
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Annotated

import typer

from .._version import __version__
from .calls.call import command
from .calls.catalogue import Entry, entries, find
from .calls.docstrings import help_of
from .calls.listing import instead_of_command, names_below, show_operations
from .checkup.doctor import doctor
from .clients import IS_READ_ONLY
from .exports.export import command as export_command
from .output.logs import logged_to_stderr, wrong_level
from .output.outcomes import (
    Code,
    begin,
    decided_or,
    discard_unwritten,
    end_with,
    ending,
    report_output_error,
    terminated_as_interrupted,
)
from .output.screen import prepare_streams, say, write_line
from .refused import credential_in

_COMMANDS = ("bulk", "call", "doctor", "export", "reconcile", "sandbox")
_AS_TYPED = {"allow_extra_args": True, "ignore_unknown_options": True}
_BULK_EXTRA = ("pyrate_limiter", "sqlalchemy")
_BULK = "Inspect and resume bulk runs, and resolve unknown outcomes."
_EXPORT = "Write a list to a CSV or Parquet file. To resume a stopped export, run the same command again."
_RECONCILE = "Compare your table with a list of the service. Sends only reads."
_EPILOG = (
    "Exit codes: 0 done, 1 rejected by the service, 2 usage or configuration, 3 not sent, 4 unknown outcome, "
    "5 differences found, 130 interrupted."
)


def run(arguments: Sequence[str]) -> int:
    """Run one command, and return its exit code."""
    begin()
    prepare_streams()
    refusal = credential_in(arguments) or wrong_level() or instead_of_command(arguments, _COMMANDS)
    if refusal is not None:
        return end_with(Code.USAGE, partial(say, refusal, "bold red"))
    try:
        with terminated_as_interrupted(), logged_to_stderr():
            application(_completed() or arguments)(list(arguments), prog_name="subscribekit")
    except SystemExit as done:
        code = done.code if isinstance(done.code, int) else Code.DONE
    except OSError as error:  # typer couldn't write a message, for example about a usage error
        usage = getattr(error.__context__, "exit_code", None)
        code = report_output_error(error) if usage is None else usage
    except Exception:  # noqa: BLE001  an exit code of 1 would mean that nothing was changed
        code = end_with(decided_or(Code.FAULT), traceback.print_exc)
    else:
        code = Code.DONE
    discard_unwritten()
    return code


def _completed() -> list[str]:
    """Return the command line that the shell's completion passes in environment variables, or an empty list."""
    if "_SUBSCRIBEKIT_COMPLETE" not in os.environ:
        return []
    return (os.environ.get("_TYPER_COMPLETE_ARGS") or os.environ.get("COMP_WORDS", "")).split()[1:]


def application(arguments: Sequence[str]) -> typer.Typer:
    """Create the commands, and if possible, import only the operation that the command line calls."""
    app = typer.Typer(
        name="subscribekit",
        help="Call the APIs of the billing platform from a terminal.",
        epilog=_EPILOG,
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,  # rich would show the help in tables that cut off long options
    )
    app.callback()(_options)
    app.command("doctor")(doctor)
    app.command("sandbox", add_help_option=False, context_settings=_AS_TYPED)(sandbox)
    app.add_typer(_calls(_wanted(arguments)), name="call")
    _add_bulk(app, is_meant=_words(arguments)[:1] == ["bulk"])
    app.add_typer(_lists(_wanted(arguments), export_command, _EXPORT), name="export")
    if _words(arguments)[:1] == ["reconcile"]:
        from .exports.reconcile import command as reconcile_command

        app.add_typer(_lists(_wanted(arguments), reconcile_command, _RECONCILE), name="reconcile")
    else:
        app.command("reconcile", help=_RECONCILE)(_nothing)
    return app


def sandbox(context: typer.Context) -> None:
    """Serve the sandbox on this machine until Ctrl-C. For the options of the sandbox, pass --help."""
    from ..sandbox.__main__ import main as serve

    raise typer.Exit(Code.USAGE if serve(context.args) else Code.DONE)


def _show_version(wanted: bool) -> None:
    if wanted:
        ending(_version)


def _version() -> Code:
    write_line(f"subscribekit {__version__}")
    return Code.DONE


def _options(
    version: Annotated[  # noqa: ARG001  the callback handles it
        bool, typer.Option("--version", help="Show the version and exit.", is_eager=True, callback=_show_version)
    ] = False,
    read_only: Annotated[
        bool, typer.Option("--read-only", help="Refuse every write, like SUBSCRIBEKIT_READ_ONLY=1.")
    ] = False,
) -> None:
    """Store the options that apply to every command."""
    IS_READ_ONLY.set(read_only)


def _nothing(_: typer.Context) -> None:
    """Do nothing.

    Commands that aren't run use this function, because their own functions need libraries that are slow to import.
    """


def _add_bulk(app: typer.Typer, *, is_meant: bool) -> None:
    if not is_meant:
        app.command("bulk", help=_BULK)(_nothing)
        return
    try:
        from .runs.bulk import commands
    except ModuleNotFoundError as error:
        if error.name not in _BULK_EXTRA:
            raise
        say("The command bulk requires the 'bulk' extra; run: pip install 'subscribekit[bulk]'", "bold red")
        raise SystemExit(Code.USAGE) from None
    app.add_typer(commands, name="bulk", help=_BULK)


def _wanted(arguments: Sequence[str]) -> Iterable[Entry]:
    """Return the operation that a command line calls, or all operations if the SDK has no operation with that name.

    If the command doesn't call an operation, the result is empty.
    """
    words = _words(arguments)
    if words[:1] not in (["call"], ["export"], ["reconcile"]):
        return ()
    name = words[1] if len(words) > 1 else ""
    if words[0] != "call":
        name = f"{name if '.' in name else f'billing.{name}'}.list"
    found = find(name)
    return entries().values() if found is None else (found,)


def _words(arguments: Sequence[str]) -> list[str]:
    return [each for each in arguments if not each.startswith("-")]


def _lists(wanted: Iterable[Entry], make: Callable[[Entry], Callable[..., None]], description: str) -> typer.Typer:
    lists = typer.Typer(
        help=description,
        epilog=_EPILOG,
        no_args_is_help=True,
        subcommand_metavar="RESOURCE FILE",
    )

    for each in wanted:
        if each.is_list and each.method == "list":
            name = f"{each.group}.{each.resource}"
            text = help_of(each.call.__doc__)
            for short in (name.removeprefix("billing."), name):
                lists.command(short, help=text, short_help=each.summary, hidden=short != name, epilog=_EPILOG)(
                    make(each)
                )
    return lists


def _calls(wanted: Iterable[Entry]) -> typer.Typer:
    calls = typer.Typer(
        help="Call any operation by its SDK name, such as billing.accounts.list.",
        epilog=f"Before a write, the command shows the request and asks for confirmation. {_EPILOG}",
        invoke_without_command=True,
        subcommand_metavar="API.RESOURCE.OPERATION [ARGS]...",
    )
    wanted = list(wanted)

    @calls.callback()
    def call(
        context: typer.Context,
        list_all: Annotated[bool, typer.Option("--list", help="List all operations.")] = False,
    ) -> None:
        if context.invoked_subcommand is None:
            ending(partial(show_operations, "" if list_all else None))

    for each in wanted:
        calls.command(each.name, help=help_of(each.call.__doc__), short_help=each.summary, epilog=_EPILOG)(
            command(each)
        )
    for name in names_below(wanted) if len(wanted) > 1 else ():
        calls.command(name, hidden=True, help=f"List the operations of {name}.")(_listing(name))
    return calls


def _listing(name: str) -> Callable[[], None]:
    def show() -> None:
        ending(partial(show_operations, name))

    return show
