"""The classes that describe the examples of a page."""

from __future__ import annotations

from dataclasses import dataclass

from kit.calls import Group


@dataclass(frozen=True)
class Example:
    """The example of one operation.

    Attributes:
        method: The method of the resource.
        title: The heading, in a merchant's words.
        code: At most three lines. They print something, unless the response is empty.
    """

    method: str
    title: str
    code: str


@dataclass(frozen=True)
class Family:
    """One page: the operations of one resource of one client.

    Attributes:
        group: The client.
        name: The attribute of the client.
        title: The heading of the page.
        setup: The code that the page runs before the examples. It creates the client.
        examples: The operations, in the order of the page.
    """

    group: Group
    name: str
    title: str
    setup: str
    examples: tuple[Example, ...]


def setup(client: str, variable: str, *imports: str) -> str:
    """Return the first code block of a page, which creates the client."""
    own = sorted((f"from subscribekit import {client}", *(line for line in imports if "subscribekit" in line)))
    standard = sorted(line for line in imports if "subscribekit" not in line)
    client = client.rpartition(" ")[2]  # the import can contain other names before the client
    blocks = ["\n".join(block) for block in (standard, own) if block]
    return "\n\n".join((*blocks, f'{variable} = {client}(environment="sandbox")'))
