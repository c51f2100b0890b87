"""Writes the generated files of the documentation."""

from __future__ import annotations

from . import written


def main() -> None:
    """Write every file whose content differs, and print its path."""
    for path, text in written.everything():
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            print(path.relative_to(written.ROOT))


if __name__ == "__main__":
    main()
