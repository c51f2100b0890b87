"""Parses every example of the document with the models that datamodel-code-generator generated.

It runs in its own process:

    python example_models.py DOCUMENT
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import models


def main(path: str) -> None:
    """Parse the example of each schema with the model of the same name."""
    schemas = json.loads(Path(path).read_text(encoding="utf-8"))["components"]["schemas"]
    for name, schema in schemas.items():
        getattr(models, name).model_validate_json(json.dumps(schema["examples"][0]))
    print(len(schemas), "read")


if __name__ == "__main__":
    main(sys.argv[1])
