"""Decks and matrix files of a project: their paths and content fingerprints."""

import os
from functools import lru_cache
from pathlib import Path

from faying.errors import FayingError, ModelError, ReadError
from faying.fem.imported.superelements import SuperelementFiles
from faying.fem.matrix_files import files_of_matrix
from faying.fem.matrix_files.scipy_sparse import constraints_beside
from faying.fem.readers import files_of_model
from faying.fingerprint import file_digest, fingerprint
from faying.input_files import check_regular
from faying.project.specs import BodySpec, ModelSpec, Project


def deck_path(spec: ModelSpec, base: Path) -> Path:
    """Return the deck's absolute path; a relative one is relative to `base`."""
    return Path(os.path.normpath(base.absolute() / spec.path))


def deck_digest(path: Path) -> str:
    """Return the fingerprint of a deck's contents, including all included files.

    Raises:
        OSError: when the deck cannot be read.
    """
    check_regular(path)
    digests = []
    for file in (path, *(file for file in files_of_model(path) if file != path)):
        status = file.stat()
        digests.append(_digest(file, status.st_mtime_ns, status.st_size))
    return digests[0] if len(digests) == 1 else fingerprint(digests)


def content_of(body: BodySpec, base: Path) -> str:
    """Return the fingerprint of a body's deck: that of the file, or the remembered one if the file is missing.

    So stored artifacts can be used without the deck.

    Raises:
        ModelError: when there is neither.
    """
    path = deck_path(body.model, base)
    try:
        return deck_digest(path)
    except OSError as error:
        if remembered := _remembered_deck(body.model):
            return remembered
        reason = (
            "is not there" if isinstance(error, FileNotFoundError) else f"cannot be read ({error.strerror})"
        )
        raise ModelError(
            f"The deck of body {body.name!r} {reason}: {path}.", "Put it there, or choose the deck again."
        ) from None


def matrix_paths(body: BodySpec, base: Path) -> tuple[Path, Path, Path | None]:
    """Return the absolute paths of stiffness, mass and list of degrees of freedom; None for unnamed ones.

    Raises:
        ModelError: when only one of the two matrices is named.
    """
    spec = body.model
    for own, other in (("stiffness", spec.mass_file), ("mass", spec.stiffness_file)):
        if not (spec.stiffness_file if own == "stiffness" else spec.mass_file):
            raise ModelError(
                f"Body {body.name!r} has the matrix {Path(other).name} of another program, but no {own} file.",
                "Choose both files, or neither.",
            )
    names = (spec.stiffness_file, spec.mass_file, spec.dof_file)
    stiffness, mass, dofs = (Path(os.path.normpath(base.absolute() / name)) for name in names)
    return stiffness, mass, dofs if spec.dof_file else None


def superelements_of(body: BodySpec, base: Path) -> tuple[SuperelementFiles, ...]:
    """Return the superelements of a body with the absolute paths of their files."""

    def path(name: str) -> Path | None:
        return Path(os.path.normpath(base.absolute() / name)) if name else None

    found = []
    for each in body.model.superelements:
        stiffness = path(each.stiffness_file)
        assert stiffness is not None  # it is never empty
        files = stiffness, path(each.mass_file), path(each.dof_file)
        more = path(each.damping_file), path(each.load_file)
        found.append(SuperelementFiles(each.name, *files, each.expected_mass, *more))
    return tuple(found)


def superelements_content_of(body: BodySpec, base: Path) -> list[list[str]]:
    """Return for each superelement its name, used in import remarks, and the fingerprints of its files.

    Raises:
        ModelError: when a file is missing or not a matrix.
    """
    found = []
    for each in superelements_of(body, base):
        try:
            files = [file for matrix in each.matrices for file in files_of_matrix(matrix, each.dofs)]
            digests = [str(each.mass is None), str(each.damping is None)]
            for file in (*files, *(() if each.loads is None else (each.loads,))):
                status = file.stat()
                digests.append(_digest(file, status.st_mtime_ns, status.st_size))
        except (OSError, ReadError) as error:
            raise ModelError(f"Superelement {each.name!r} of body {body.name!r}: {error}") from None
        found.append([each.name, str(each.expected_mass), *digests])
    return found


def matrices_digest(body: BodySpec, base: Path) -> str:
    """Return the fingerprint of the contents of a body's matrix files and list of degrees of freedom.

    Raises:
        OSError: when one cannot be read.
        FayingError: when one is missing or of an unknown format.
    """
    stiffness, mass, dofs = matrix_paths(body, base)
    beside = constraints_beside(stiffness)
    files = dict.fromkeys([*files_of_matrix(stiffness, dofs), *files_of_matrix(mass, dofs)])
    files |= {beside: None} if beside is not None else {}
    parts = []
    for file in files:
        status = file.stat()
        parts.append(_digest(file, status.st_mtime_ns, status.st_size))
    return fingerprint(parts)


def matrices_content_of(body: BodySpec, base: Path) -> str:
    """Return the fingerprint of a body's matrix files, or the remembered one if files are missing.

    Raises:
        ModelError: when there is neither.
    """
    paths = matrix_paths(body, base)
    try:
        return matrices_digest(body, base)
    except (OSError, ReadError) as error:
        if (remembered := _remembered_matrices(body.model)) and not all(
            path.exists() for path in paths if path
        ):
            return remembered
        if isinstance(error, ReadError):
            raise ModelError(f"Body {body.name!r}: {error.message}", error.hint) from None
        raise ModelError(
            f"A matrix file of body {body.name!r} cannot be read ({error.strerror}).", "Choose it again."
        ) from None


def _digest_of_names(*names: str) -> str:
    """Return a short digest of file names, which is unchanged if all files move to another folder."""
    return fingerprint([Path(name).name for name in names])[:8]


def _names_of_matrices(spec: ModelSpec) -> str:
    return _digest_of_names(spec.stiffness_file, spec.mass_file, spec.dof_file)


def _remembered_deck(spec: ModelSpec) -> str:
    """Return the remembered fingerprint if it belongs to the chosen deck, "" otherwise.

    Projects of earlier versions do not store the name; then it is assumed to belong to the deck.
    """
    names, _, digest = spec.digest.rpartition(" ")
    return digest if names in ("", _digest_of_names(spec.path)) else ""


def _remembered_matrices(spec: ModelSpec) -> str:
    """Return the remembered fingerprint if it belongs to the chosen matrix files, "" otherwise."""
    names, _, digest = spec.matrices_digest.partition(" ")
    return digest if names == _names_of_matrices(spec) else ""


def matrices_have_changed(body: BodySpec, base: Path) -> bool:
    """Return whether the matrix files have changed since they were chosen; False if either state is unknown."""
    remembered = _remembered_matrices(body.model)
    if not body.model.imports_matrices or not remembered:
        return False
    try:
        return matrices_digest(body, base) != remembered
    except (OSError, FayingError):
        return False


def has_changed(body: BodySpec, base: Path) -> bool:
    """Return whether the deck's contents have changed since the import; False if either state is unknown."""
    remembered = _remembered_deck(body.model)
    try:
        return bool(remembered) and deck_digest(deck_path(body.model, base)) != remembered
    except OSError:
        return False


def with_deck_digest(spec: ModelSpec, base: Path) -> ModelSpec:
    """Return the model with its deck's present name and fingerprint stored.

    Raises:
        OSError: when the deck cannot be read.
    """
    return spec.with_(digest=f"{_digest_of_names(spec.path)} {deck_digest(deck_path(spec, base))}")


def with_digests(project: Project, base: Path) -> Project:
    """Return the project with missing fingerprints of existing decks and matrix files added."""
    bodies = []
    for body in project.bodies:
        if not _remembered_deck(body.model):
            try:
                model = with_deck_digest(body.model, base)
            except OSError:
                model = body.model.with_(digest="")
            body = body.with_(model=model)
        if body.model.imports_matrices and not _remembered_matrices(body.model):
            try:
                digest = f"{_names_of_matrices(body.model)} {matrices_digest(body, base)}"
            except (OSError, FayingError):
                digest = ""
            body = body.with_(model=body.model.with_(matrices_digest=digest))
        bodies.append(body)
    return project.with_(bodies=tuple(bodies))


def without_digest_of(spec: ModelSpec, name: str) -> ModelSpec:
    """Return the model without the stored fingerprint of the file named by one of its parameters.

    Another folder may contain a file of the same name, so the fingerprint is dropped when a new file is chosen.
    """
    if name == "path":
        return spec.with_(digest="")
    return spec.with_(matrices_digest="") if name in ("stiffness_file", "mass_file", "dof_file") else spec


def without_digests(project: Project) -> Project:
    """Return the decisions without fingerprints of decks and matrices."""
    bodies = [body.with_(model=body.model.with_(digest="", matrices_digest="")) for body in project.bodies]
    return project.with_(bodies=tuple(bodies))


@lru_cache(maxsize=1024)
def _digest(path: Path, modified: int, size: int) -> str:
    return file_digest(path)
