"""Lets `help`, reprs and pickles name classes and functions by the package that users import them from."""

from inspect import isfunction


def publish(home: str, *members: object) -> None:
    """Set the module of classes and functions to their public home.

    Args:
        home: The public module, which has the members under their own names.
        members: The classes and functions; other objects keep their module.
    """
    for each in members:
        if isinstance(each, type) or isfunction(each):
            each.__module__ = home
