"""Sets the module of public classes and functions to the package that users import them from.

Because of this module, `help`, reprs, and pickles contain the name of the public package.
"""

from inspect import isfunction


def publish(home: str, *members: object) -> None:
    """Set the `__module__` of classes and functions to the public module.

    Args:
        home: The public module, which must define the members under the same names.
        members: The classes and functions to change. `publish` ignores objects of other types.
    """
    for each in members:
        if isinstance(each, type) or isfunction(each):
            each.__module__ = home
