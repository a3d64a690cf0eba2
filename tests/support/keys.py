"""Keys of curves from their texts, for files that tests write."""

from collections.abc import Iterable

from faying.analyses.curve_sources import curve_sources
from faying.results.curve_key import CurveKey, curve_text


def keys_of(texts: Iterable[str], **owners: tuple[str, ...]) -> list[CurveKey]:
    """Return the key of each text, as sources of curves offer them.

    Args:
        texts: of curves.
        owners: names by kind of the owner: joint=("lap",).
    """
    known: dict[str, CurveKey] = {}
    for _, source in curve_sources.items():
        for owner in ("",) if not source.owners_kind else owners.get(source.owners_kind, ()):
            for quantity in source.quantities:
                known |= {curve_text(key): key for key in quantity.keys(source.owners_kind, owner)}
    return [known[text] for text in texts]
