"""Families: each member is one file that registers itself; there is no central list."""

import importlib
import logging
import pkgutil
from collections.abc import Callable, Iterator
from functools import cached_property
from importlib.metadata import entry_points
from inspect import isabstract
from typing import Generic, TypeVar

from faying.errors import ModelError, shortened, there_are

T = TypeVar("T")
_log = logging.getLogger(__name__)


class Registry(Generic[T]):
    """Members of one family by kind, found in the modules of the family's package.

    A member that is asked for by its kind is looked for in the module of that name first, so that a project with one
    law does not load the others; whoever goes through the family loads every module. Other distributions add members
    through the entry point group ``faying.<family>``, whose entries name modules (or packages) to import.

    Args:
        family: the user's term for a member, in the singular ("contact law").
        package: dotted name of the package whose modules are the members.
    """

    def __init__(self, family: str, package: str) -> None:
        self.family, self.package = family, package
        self._members: dict[str, T] = {}
        self._discovered = False

    def register(self, kind: str) -> Callable[[T], T]:
        """Return a decorator that registers its object under `kind`; it is an error to register a kind twice.

        A class that lacks an attribute required by its family is an error, too. A class without values for its
        attributes `kind`, `name` or `title` gets them from here, so that a member's name is written once.
        """

        def add(member: T) -> T:
            # Checked here, where the file to fix is known, and not when an instance is made.
            if isinstance(member, type) and isabstract(member):
                left = sorted(getattr(member, "__abstractmethods__", ()))
                raise TypeError(f"the {self.family} {kind!r} leaves out {' and '.join(left)}")
            known = self._members.get(kind)
            if known is not None and getattr(known, "__qualname__", 0) != getattr(member, "__qualname__", 1):
                raise ValueError(f"two {self.family} members call themselves {kind!r}")
            if isinstance(member, type) and hasattr(member, "kind") and "kind" not in vars(member):
                member.kind = kind
            if isinstance(member, type) and getattr(member, "name", None) == "":
                member.name = kind  # type: ignore[attr-defined]
            if getattr(member, "title", None) == "":
                member.title = kind.replace("_", " ").capitalize()  # type: ignore[attr-defined]
            self._members[kind] = member
            return member

        return add

    def discover(self) -> None:
        """Import the modules of the family, and those of other distributions, once."""
        if self._discovered:
            return
        self._discovered = True
        for name in self._modules:
            importlib.import_module(f"{self.package}.{name}")
        for entry in entry_points(group=f"faying.{self.package.rsplit('.', 1)[1]}"):
            try:
                entry.load()
            except (Exception, SystemExit) as error:  # noqa: BLE001 - a foreign module may raise anything
                # A faulty module must not stop the program: report it and continue. --verbose shows the traceback.
                reason = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
                _log.error("the %s members of %s cannot be loaded (%s)", self.family, entry.value, reason)
                _log.debug("traceback", exc_info=True)

    @cached_property
    def _modules(self) -> tuple[str, ...]:
        """Names of the family's modules, within its package."""
        package = importlib.import_module(self.package)
        return tuple(found.name for found in pkgutil.iter_modules(package.__path__) if found.name[0] != "_")

    def _look_for(self, kind: str) -> None:
        """Import the module that is named after a kind, and all of them when the member is not in that one."""
        if kind in self._members:
            return
        if kind in self._modules:
            importlib.import_module(f"{self.package}.{kind}")
        if kind not in self._members:
            self.discover()

    def __getitem__(self, kind: str) -> T:
        self._look_for(kind)
        try:
            return self._members[kind]
        except KeyError:
            raise ModelError(
                f"There is no {self.family} called {shortened(str(kind))!r}.",
                there_are(str(kind), sorted(self._members), "Known are"),
            ) from None

    def __iter__(self) -> Iterator[str]:
        self.discover()
        return iter(sorted(self._members))

    def __contains__(self, kind: str) -> bool:
        self._look_for(kind)
        return kind in self._members

    def items(self) -> list[tuple[str, T]]:
        """Return (kind, member) for all members, sorted by kind."""
        return [(kind, self[kind]) for kind in self]
