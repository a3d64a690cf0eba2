"""The page of a family: its members, when to choose which, and their parameters."""

from collections.abc import Callable
from typing import Any

from faying.manual import reference_pages
from faying.manual._tables import about, family_page, inner_specs, parameters
from faying.registry import Registry


def add_family(registry: Registry[Any], introduction: str) -> None:
    """Make a page of a family's members."""
    name = family_page(registry)
    reference_pages.register(f"reference-{name}")(_page(registry, introduction))


def _page(registry: Registry[Any], introduction: str) -> Callable[[], str]:
    def make() -> str:
        heading = registry.family[0].upper() + registry.family[1:]
        parts = [f"# {heading}: kinds", introduction]
        for kind, member in registry.items():
            parts += [f"## {member.title or kind}", f'`kind = "{kind}"`', about(member)]
            parts += [f"**When:** {member.advice}"] if member.advice else []
            parts.append(parameters(member))
            for inner, spec in inner_specs(member):
                parts += [f"### {inner}", about(spec), parameters(spec)]
        return "\n\n".join(parts) + "\n"

    return make
