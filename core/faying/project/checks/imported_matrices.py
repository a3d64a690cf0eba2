"""Files of imported matrices and superelements, and remarks of their import."""

from collections.abc import Iterator
from pathlib import Path

from faying.errors import ModelError
from faying.input_files import is_file
from faying.project.checks import CheckedProject, Finding, checks, spoils
from faying.project.deck import matrices_have_changed, matrix_paths, superelements_of


@checks.register("imported_matrices")
@spoils("matrices")
def imported_matrices(checked: CheckedProject) -> Iterator[Finding]:
    """Check that both files exist and are unchanged; repeat the remarks of the import."""
    for path, body, _ in checked.bodies():
        if not body.model.imports_matrices and not body.model.superelements:
            continue
        place = (*path, "model")
        computed = checked.matrices.get(body.name)
        try:
            named: list[Path | None] = [
                *(matrix_paths(body, checked.base) if body.model.imports_matrices else ()),
                *(f for s in superelements_of(body, checked.base) for f in (*s.matrices, s.loads, s.dofs)),
            ]
            missing = [file for file in named if file and not is_file(file)]
        except ModelError as error:
            yield Finding("error", place, error.message, error.hint)
            continue
        for file in missing:
            yield Finding(
                "warning" if computed else "error", place,
                f"Body {body.name!r}: the matrix file {file} is not there.", "Put it back, or choose another one.",
            )  # fmt: skip
        if not missing and matrices_have_changed(body, checked.base):
            yield Finding(
                "warning", place, f"Body {body.name!r}: the matrix files have changed since they were chosen.",
                "Everything computed from them is stale; run again to use the new ones.",
            )  # fmt: skip
        for remark in computed.remarks if computed else ():
            yield Finding(
                "warning", place, f"Body {body.name!r}: {remark}", "See whether that is what was meant."
            )
