"""A study that somebody wrote, with the decisions of an edited project: comments, order and units stay as written."""

from collections.abc import MutableMapping, MutableSequence
from typing import Any

_LISTS = ("bodies", "systems", "analyses")
_OF_PROJECT = "name"


def has_comments(text: str) -> bool:
    """Return whether a study's text may hold comments; a sign inside a text counts, too."""
    return "#" in text


def same_project(before: dict[str, Any], after: dict[str, Any]) -> bool:
    """Return whether two projects have a name of their own or of a body, system or analysis in common.

    Args:
        before, after: their plain values.
    """
    if before.get(_OF_PROJECT) and before.get(_OF_PROJECT) == after.get(_OF_PROJECT):
        return True
    names = [{each["name"] for key in _LISTS for each in plain.get(key, ())} for plain in (before, after)]
    return bool(names[0] & names[1])


def edited_text(text: str, before: dict[str, Any], after: dict[str, Any]) -> str:
    """Return a study's text in which only what differs between two projects is written again.

    Args:
        text: valid TOML.
        before: plain values of its project, complete.
        after: those of the edited project, complete.

    Returns:
        The text; "" where it cannot be edited in place.
    """
    import tomlkit  # late: only texts with comments need it
    from tomlkit.exceptions import TOMLKitError

    try:
        document = tomlkit.parse(text)
        _edit(document, before, after)
        return tomlkit.dumps(document)
    except TOMLKitError:
        return ""


def _edit(table: MutableMapping[str, Any], before: dict[str, Any], after: dict[str, Any]) -> None:
    for key in [key for key in table if key in before and key not in after]:
        del table[key]
    for key, value in after.items():
        old = before.get(key)
        if key in before and old == value:
            continue  # as it was written, or left unsaid
        written = table.get(key)
        if isinstance(written, MutableMapping) and isinstance(old, dict) and _alike(old, value):
            _edit(written, old, value)
        elif (
            isinstance(written, MutableSequence)
            and isinstance(old, list)
            and _are_tables(written, old, value)
        ):
            _edit_list(written, old, value)
            if not len(written):
                del table[key]
        else:
            table[key] = value


def _edit_list(written: MutableSequence[Any], before: list[Any], after: list[Any]) -> None:
    """Edit a list of tables in place."""
    places = _places(before, after)
    kept = [place for place in places if place >= 0]
    if kept != sorted(kept) or -1 in places[: len(kept)]:  # in another order: all tables are written again
        while len(written):
            del written[-1]
        for value in after:
            written.append(value)
        return
    for place in reversed(range(len(before))):
        if place not in kept:
            del written[place]
        elif _alike(before[place], value := after[places.index(place)]):
            _edit(written[place], before[place], value)
        else:
            written[place] = value
    for value in after[len(kept) :]:
        written.append(value)


def _places(before: list[Any], after: list[Any]) -> list[int]:
    """Return where each table was, -1 for a new one: by its name, then among those of other names in their order."""
    names = [each.get("name") for each in before]
    known = len({*names}) == len(names)
    places = [
        names.index(name) if known and name is not None and name in names else -1
        for name in (each.get("name") for each in after)
    ]
    renamed = iter([place for place in range(len(before)) if place not in places])
    return [next(renamed, -1) if place < 0 else place for place in places]


def _alike(before: Any, after: Any) -> bool:
    """Return whether two values are tables of one kind, whose parameters are the same."""
    tables = isinstance(before, dict) and isinstance(after, dict)
    return tables and before.get("kind") == after.get("kind")


def _are_tables(written: Any, before: list[Any], after: Any) -> bool:
    """Return whether a list that is written has tables in it, as many as before, and still has."""
    lists = isinstance(after, list) and 0 < len(written) == len(before)
    return lists and all(isinstance(each, dict) for each in (*before, *after))
