"""Files in other folders: a foreign deck or study must not cause them to be read unnoticed."""

import os
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

from faying.project.checks import CheckedProject, Finding, checks
from faying.project.file_names import files_read

_MOST = 5


@checks.register("files_elsewhere")
def files_elsewhere(checked: CheckedProject) -> Iterator[Finding]:
    """List files that decks include from outside their folder, and that the project reads from outside its folder."""
    own, ours = os.path.realpath(checked.base), os.path.realpath(str(files("faying_resources")))
    elsewhere: list[Path] = []
    for path, body, _ in checked.bodies():
        by_file: dict[Path, list[Path]] = {}
        for file, named_by in files_read(body, checked.base).items():
            if file == named_by:
                if not _is_in(file, own) and not _is_in(file, ours):
                    elsewhere.append(file)
            elif not _is_in(file, os.path.realpath(named_by.parent)):
                by_file.setdefault(named_by, []).append(file)
        for deck, included in by_file.items():
            yield Finding(
                "warning", (*path, "model"),
                f"Body {body.name!r}: {deck.name} includes what is not in its folder: {_listed(included)}.",
                "Look at these files before you trust a deck by somebody else.",
            )  # fmt: skip
    elsewhere += [
        file
        for file in files_read((*checked.project.systems, *checked.project.analyses), checked.base)
        if not _is_in(file, own) and not _is_in(file, ours)
    ]
    if elsewhere:
        yield Finding(
            "note", (), f"The project reads from outside of its folder: {_listed(elsewhere)}.",
            "Keep these files with it when you pass it on.",
        )  # fmt: skip


def _is_in(file: Path, folder: str) -> bool:
    """Return whether a file is in a folder or below it, with links resolved."""
    return Path(os.path.realpath(file)).is_relative_to(folder)


def _listed(found: list[Path]) -> str:
    names = [str(file) for file in dict.fromkeys(found)]
    more = f" and {len(names) - _MOST} more" if len(names) > _MOST else ""
    return ", ".join(names[:_MOST]) + more
