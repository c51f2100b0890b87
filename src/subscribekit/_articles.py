"""Chooses the indefinite article for a name in an error message, such as `an Account`, `a User`, and `an int`."""


def with_article(kind: type | str) -> str:
    """Return a name, or the name of a type, with the indefinite article before it.

    The article depends on the pronunciation of the name, as in `a URL` and `an SSLContext`.
    """
    name = kind if isinstance(kind, str) else kind.__name__
    is_vowel = (
        name.startswith(tuple("AEIOaeio"))
        or (name[:2].lower() == "un" and name[2:3].isalpha() and name[2] not in "iI")
        or (name.startswith(tuple("FHLMNRSX")) and name[1:2].isupper())
    )
    return f"{'an' if is_vowel else 'a'} {name}"
