"""The parts of an example."""

from __future__ import annotations

from dataclasses import dataclass

from kit.calls import Group


@dataclass(frozen=True)
class Example:
    """One operation as a reader needs it.

    Attributes:
        method: The method of the resource.
        title: The heading, in a merchant's words.
        code: At most three lines; they print something unless nothing comes back.
    """

    method: str
    title: str
    code: str


@dataclass(frozen=True)
class Family:
    """A page: the operations of one resource of one client.

    Attributes:
        group: The client.
        name: The attribute of the client.
        title: The heading of the page.
        setup: The code that the page runs before the examples; the client is made there.
        examples: The operations, in the order of the page.
    """

    group: Group
    name: str
    title: str
    setup: str
    examples: tuple[Example, ...]


def setup(client: str, variable: str, *imports: str) -> str:
    """Write the first block of a page."""
    own = sorted((f"from subscribekit import {client}", *(line for line in imports if "subscribekit" in line)))
    standard = sorted(line for line in imports if "subscribekit" not in line)
    client = client.rpartition(" ")[2]  # the last name of the import is the client
    blocks = ["\n".join(block) for block in (standard, own) if block]
    return "\n\n".join((*blocks, f'{variable} = {client}(environment="sandbox")'))
