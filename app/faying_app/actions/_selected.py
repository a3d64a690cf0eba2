"""What an action applies to where several entities are selected."""

from collections.abc import Collection

from faying_app.context import Context
from faying_app.entities import kind_of
from faying_app.selection import EntityPath


def selected_of(context: Context, kinds: Collection[str]) -> tuple[EntityPath, ...]:
    """Return the selected entities of some kinds; what belongs to another of them is left to it."""
    fitting = [path for path in context.entities if kind_of(path) in kinds]
    return tuple(
        path for path in fitting if not any(path[: len(o)] == o and len(o) < len(path) for o in fitting)
    )
