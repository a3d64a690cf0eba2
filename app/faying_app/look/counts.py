"""Numbers of things in words."""

_SEVERAL = {"body": "bodies", "analysis": "analyses"}


def counted(count: int, thing: str) -> str:
    """Return "1 joint", "2 joints", "3 bodies"."""
    words = thing if count == 1 else _SEVERAL.get(thing, f"{thing}s")
    return f"{count} {words}"
