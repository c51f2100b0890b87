"""The indefinite article before a name that is known only when a sentence is made: `an Account`, `a User`, `an int`."""


def with_article(kind: type | str) -> str:
    """Write a name, or that of a type, with its article, which follows the sound: `a URL`, `an SSLContext`."""
    name = kind if isinstance(kind, str) else kind.__name__
    is_vowel = (
        name.startswith(tuple("AEIOaeio"))
        or (name[:2].lower() == "un" and name[2:3].isalpha() and name[2] not in "iI")
        or (name.startswith(tuple("FHLMNRSX")) and name[1:2].isupper())
    )
    return f"{'an' if is_vowel else 'a'} {name}"
