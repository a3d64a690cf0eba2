"""Licences of all packages that the program needs, directly or through other packages."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import Distribution, PackageNotFoundError, distribution

PERMISSIVE, LINKED, UNCHANGED, NEITHER = "permissive", "linked dynamically", "used unchanged", "neither"
_PERMISSIVE = re.compile(
    r"(MIT|0?BSD|Apache|ISC|PSF|Python Software Foundation|Zlib|CC0|Unlicense|HPND)\b", re.IGNORECASE
)
# Distributors of the program must let users replace Qt: it is in separate libraries, which are loaded at the start.
_QT = ("pyside6", "pyside6-essentials", "pyside6-addons", "shiboken6")
# The Mozilla licence concerns changes of its own files.
_FILES = re.compile(r"(MPL|Mozilla Public)", re.IGNORECASE)


@dataclass(frozen=True)
class Licence:
    """The licence of a package.

    Attributes:
        package, version: see above.
        text: as its authors declare it.
        kind: "permissive"; "linked dynamically" for Qt's LGPL; "used unchanged" for one that is about changes of its
            own files; or "neither".
    """

    package: str
    version: str
    text: str
    kind: str


_OWN = ("faying", "faying-core")  # one of them is installed


def required_licences() -> Iterator[Licence]:
    """Yield the licences of all installed packages that the program requires, by name, without extras."""
    seen: dict[str, Distribution] = {}
    waiting = [*_OWN]
    while waiting:
        name = _plain(waiting.pop())
        if name in seen:
            continue
        try:
            found = distribution(name)
        except PackageNotFoundError:  # for other platforms
            continue
        seen[name] = found
        for requirement in found.requires or []:
            package, _, marker = requirement.partition(";")
            named = re.match(r"[\w.-]+", package)
            if named is not None and "extra" not in marker:
                waiting.append(named[0])
    for name, found in sorted(seen.items()):
        if name not in _OWN:
            text = declared(found)
            yield Licence(name, found.version, text, kind_of_licence(name, text))


def declared(found: Distribution) -> str:
    """Return the licence as a package declares it: by SPDX expression, by classifier, or in its own words."""
    about = found.metadata
    classifiers = [
        line.rpartition(" :: ")[2] for line in about.get_all("Classifier") or [] if line.startswith("License")
    ]
    words = (about.get("License") or "").strip().splitlines() or [""]
    return about.get("License-Expression") or " AND ".join(classifiers) or words[0].strip() or "not declared"


def kind_of_licence(package: str, text: str) -> str:
    """Return the kind of a licence (see `Licence`); of alternatives the least restrictive one."""
    found = {_kind_of_all(package, each) for each in re.split(r"\bOR\b", text)}
    return next(kind for kind in (PERMISSIVE, LINKED, UNCHANGED, NEITHER) if kind in found)


def _kind_of_all(package: str, text: str) -> str:
    terms = [term.strip(" ()") for term in re.split(r"\bAND\b", text)]
    if all(_PERMISSIVE.match(term) for term in terms):
        return PERMISSIVE
    if package in _QT and all(term.startswith("LGPL") for term in terms):
        return LINKED
    return UNCHANGED if all(_PERMISSIVE.match(term) or _FILES.match(term) for term in terms) else NEITHER


def _plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()
