"""Generates the OpenAPI document from the operations, their test cases, the models, and exchanges with the sandbox."""

from __future__ import annotations

from functools import cache

from subscribekit._version import __version__

from . import errors
from .examples import add_examples, text
from .exchanges import list_forms, recorded
from .methods import methods
from .operations import SECURITY, SERVERS, paths, tags
from .schemas import Components, Json

INFO = f"""\
This document describes every operation of subscribekit {__version__}, and is generated from its code. Fields of
responses can be absent or null, and other fields can be present. Amounts are decimal numbers, so don't parse them
as binary floats. `x-sdk-names` lists the methods of the SDK, `x-safety` the safety class, `x-source` the document
that shows the operation, and `x-extensible-enum` the documented values of a string. The addresses, and everything
with `x-assumed`, come from the sandbox. The real service can differ, so ask the operator. The examples are requests
to the sandbox, and its responses.
"""


@cache
def document() -> str:
    """Return the document as JSON text."""
    found, shown = list(methods()), recorded("specification")
    kinds = {each.__name__ for method in found for each in (method.result, method.body) if each}
    shapes = Components(list_forms(), kinds)
    whole: Json = {
        "openapi": "3.1.0",
        "info": {
            "title": "Subscription billing",
            "version": __version__,
            "description": INFO,
            "license": {"name": "MIT", "identifier": "MIT"},
            "contact": {"name": "The subscribekit authors"},
        },
        "servers": [{"url": SERVERS["billing"]}],
        "tags": tags(),
        "paths": paths(found, shapes, shown),
        "components": {
            "securitySchemes": SECURITY,
            "headers": errors.HEADERS,
            "responses": errors.components(shapes, shown),
            "schemas": dict(sorted(shapes.made.items())),
        },
    }
    add_examples(whole, [*shown, *recorded("published")])
    return text(whole)
