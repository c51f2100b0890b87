"""Imports the module of a public name when the name is first used."""

from collections.abc import Mapping
from importlib import import_module


def imported(package: str, modules: Mapping[str, str], name: str) -> object:
    """Import the module that defines a public name of a package, and return the name's value.

    Args:
        package: The package whose `__getattr__` calls this function.
        modules: The module that defines each name, relative to the package. A module whose name starts with a dot is in
            the parent package.
        name: The name to look up.

    Raises:
        AttributeError: The package doesn't define the name.
        ImportError: The module raised an `AttributeError` while it was imported, which Python would report as a missing
            name.
    """
    module = modules.get(name)
    if module is None:
        raise AttributeError(f"module {package!r} has no attribute {name!r}")
    try:
        found = import_module(f".{module}", package)
    except AttributeError as error:
        raise ImportError(f"{package}.{module} can't be imported: {error}", name=f"{package}.{module}") from error
    return getattr(found, name)
