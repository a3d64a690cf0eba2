"""A first value for a new item of a list, so that adding one never asks questions."""

from collections.abc import Callable, Collection
from typing import Any

from faying.errors import ModelError
from faying.params import build
from faying_app.forms.declaration import Declaration, declarations


def first_item(
    declaration: Declaration, names: Callable[[str], list[str]], avoided: Collection[str] = ()
) -> Any:
    """Return a new item for a list of specs or members.

    Required references get the first name that exists and is not avoided, else the last one; other required names get
    the title of the class. Lists that must not be empty get one item.

    Args:
        declaration: of the list.
        names: existing names of a kind.
        avoided: names that other items have, or at which a new one would do nothing.

    Raises:
        ModelError: when something that has to exist first does not.
    """
    family = declaration.item_family
    kind = next(cls for _, cls in family.items()) if family is not None else declaration.item_spec
    words: dict[str, Any] = {}
    for part in declarations(kind):
        if not kind.model_fields[part.name].is_required():
            continue
        if part.choices:
            known = names(part.choices)
            if not known:
                what = part.choices.replace("_", " ")
                raise ModelError(
                    f"There is no {what} yet.",
                    f"Add one first, then come back to {declaration.title.lower()}.",
                )
            words[part.name] = next((name for name in known if name not in avoided), known[-1])
        elif part.annotation is str:
            words[part.name] = (getattr(kind, "title", "") or "New").lower()
        elif part.item_spec is not None:
            words[part.name] = (first_item(part, names, avoided),)
    return build(kind, words)
