"""A contract of import-linter: what begins with an underscore is imported by its own package alone."""

from typing import Any

from importlinter import Contract, ContractCheck, output


class PrivateModules(Contract):
    """A module or package ``a.b._c`` is imported within ``a.b`` alone; no list of them is kept."""

    type_name = "private"

    def check(self, graph: Any, verbose: bool) -> ContractCheck:
        """Return the imports from outside, also those inside functions and for type checking."""
        broken = [
            f"{importer} imports {module}"
            for module in sorted(graph.modules)
            for owner in owners(module)
            for importer in sorted(graph.find_modules_that_directly_import(module))
            if not f"{importer}.".startswith(f"{owner}.")
        ]
        return ContractCheck(kept=not broken, metadata={"broken": broken})

    def render_broken_contract(self, check: ContractCheck) -> None:
        """Print each of the imports."""
        for line in check.metadata["broken"]:
            output.print_error(f"- {line}")


def owners(module: str) -> list[str]:
    """Return the packages that a module is private to, the outermost first."""
    parts = module.split(".")
    private = [at for at, part in enumerate(parts) if part.startswith("_") and not part.startswith("__")]
    return [".".join(parts[:at]) for at in private if at]
