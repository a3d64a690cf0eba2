"""The page of the manual about ``import faying``, made from the docstrings of its public names."""

import inspect
import re
from collections.abc import Iterator
from typing import Any

import faying
from faying.manual import reference_pages

_QUOTED = re.compile(r"``([^`]+)``")
_HEADS = ("Args:", "Returns:", "Raises:", "Attributes:", "Yields:")


@reference_pages.register("reference-python")
def python_page() -> str:
    """Return the page: classes with their methods, then functions."""
    names = [name for name in faying.__all__ if not name.startswith("__")]
    parts = [
        "# Python",
        "What `import faying` offers; [Scripts](scripts.md) says in which order. Numbers are in the project's units, "
        "arrays are NumPy's. The package carries its types.",
    ]
    for name in sorted(names, key=lambda each: (not inspect.isclass(getattr(faying, each)), each.lower())):
        thing = getattr(faying, name)
        if inspect.ismodule(thing):
            parts += [f"## {name}", _text(thing), *_edits(thing)]
            continue
        parts += [f"## {name}", f"```\n{name}{_signature(thing)}\n```", _text(thing)]
        if inspect.isclass(thing) and not issubclass(thing, Exception):
            parts += _members(thing)
    return "\n\n".join(part for part in parts if part) + "\n"


def _members(kind: type) -> Iterator[str]:
    """Yield heading and text of each public method and property of our own, in alphabetical order."""
    for name, member in sorted(inspect.getmembers(kind)):
        if name.startswith("_") or not _is_ours(kind, name):
            continue
        if callable(member):
            yield f"### {kind.__name__}.{name}{_signature(member)}"
            yield _text(member)
        elif inspect.getdoc(member) and isinstance(inspect.getattr_static(kind, name), property):
            yield f"### {kind.__name__}.{name}"
            yield _text(member)


def _edits(module: Any) -> Iterator[str]:
    """Yield a list of the public functions of a module."""
    found = [
        (name, each)
        for name, each in inspect.getmembers(module, callable)
        if not name.startswith("_")
        and getattr(each, "__module__", "") == module.__name__
        and inspect.getdoc(each)
    ]
    yield "\n".join(
        f"- `{name}{_signature(each)}`: {_paragraph(inspect.getdoc(each) or '')}" for name, each in found
    )


def _is_ours(kind: type, name: str) -> bool:
    """Return whether a member is defined in this program, not by a base class of another package."""
    owner = next((each for each in kind.__mro__ if name in vars(each)), object)
    return owner.__module__.partition(".")[0] == "faying"


def _signature(thing: Any) -> str:
    """Return the parameters with their defaults, without types and without self."""
    try:
        found = inspect.signature(thing)
    except (TypeError, ValueError):
        return ""
    plain = [
        each.replace(annotation=inspect.Parameter.empty)
        for each in found.parameters.values()
        if each.name not in ("self", "project")
    ]
    return str(found.replace(parameters=plain, return_annotation=inspect.Signature.empty))


def _paragraph(text: str) -> str:
    return _QUOTED.sub(r"`\1`", " ".join(text.split("\n\n")[0].split()))


def _text(thing: Any) -> str:
    """Return a docstring as Markdown: arguments, attributes and errors as lists."""
    lines = []
    for line in (inspect.getdoc(thing) or "").splitlines():
        if line.strip() in _HEADS:
            head = "Arguments" if line.strip() == "Args:" else line.strip().removesuffix(":")
            lines += [f"*{head}*", ""]
        elif re.match(r"    \S[^:]*: ", line):
            names, _, meaning = line.strip().partition(": ")
            lines.append(f"- `{names}`: {meaning}")
        elif line.startswith("    "):
            lines.append(f"  {line.strip()}")
        else:
            lines.append(line)
    return _QUOTED.sub(r"`\1`", "\n".join(lines))
