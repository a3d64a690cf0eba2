"""Factors of symmetric sparse systems, with or without linear constraints, behind one small protocol."""

import logging
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
import scipy.sparse as sp

from faying.errors import Cancelled, SolveError
from faying.linalg.backends import (
    FactorBackend,
    Interrupted,
    NotDefiniteError,
    ZeroPivotError,
    factor_backends,
)
from faying.linalg.background import Background
from faying.linalg.bordered import MOST_ROWS, BorderedSolver
from faying.linalg.condensed import CondensedFactor, DefinedDofs
from faying.linalg.eliminated import EliminatedSolver, fills_little
from faying.linalg.factor_protocol import Factor
from faying.linalg.room import MemoryNeedError
from faying.linalg.sparse_factor import (
    ScaledSystem,
    SingularSystemError,
    Solver,
    SparseFactor,
    indefinite,
    singular,
)
from faying.linalg.symmetric import SymmetricPart
from faying.progress import Progress, Silent

__all__ = ["Factor", "SingularSystemError", "factorize"]

LOG = logging.getLogger(__name__)
# Of ‖A x − b‖ / (‖A‖ ‖x‖ + ‖b‖). Good factors leave 1e-16. A limit of 1e-10 accepts solutions with errors of 1e-4
# at a condition number of 1e6, which is that of a bolted body.
RESIDUAL_TOLERANCE = 1e-13
_REFINABLE = 1e-4  # less accurate factors are not improved by refinement
ITERATIVE_TOLERANCE = 1e-10  # of a solver without a factor, which reports its residual with each result
ITERATIVE = "pyamg"  # the solver without a factor
_USUAL_TIME, _GROWTH = (
    2.5e-7,
    1.4,
)  # seconds and exponent of the number of equations, for solid bodies on two cores
CANCEL_PATIENCE = 1.0  # seconds to wait for a solver after asking it to stop


def factorize(
    stiffness: sp.csr_matrix | SymmetricPart,
    constraints: sp.csr_matrix | None = None,
    *,
    definite: bool = True,
    progress: Progress | None = None,
    backend: str | None = None,
    near_null: Callable[[], np.ndarray] | None = None,
) -> Factor:
    """Return the factor of K, or of [[K, Cᵀ], [C, 0]] with constraints.

    The first available sparse solver factors the matrix scaled to a unit diagonal; the result is checked with a random
    right-hand side. Where the residual is too large, solutions are refined, and where that does not help, the next
    solver takes over. A few constraints are treated as a border (`faying.linalg.bordered`), many sparse ones are
    eliminated (`faying.linalg.eliminated`), so that solvers for definite matrices can be used with constraints, too.

    Args:
        stiffness: K (n, n), symmetric, both triangles stored, or a part of such a matrix. Without constraints it is
            read in place.
        constraints: C (m, n) with independent rows.
        definite: whether K must be positive definite (on the constraints' null space).
        progress: checked several times per second for cancellation.
        backend: name of one sparse solver to use; the best one by default.
        near_null: returns (n, k) motions of low strain energy, such as the rigid body motions. With them a definite K
            without constraints is solved iteratively if its factor does not fit into memory and pyamg is installed.

    Raises:
        MemoryNeedError: when the factor does not fit into memory; raised before factoring.
        SingularSystemError: when the body can still move, or K should be positive definite but is not.
        SolveError: when no solver can factor it accurately.
        Cancelled: on request.
    """
    progress = progress or Silent()
    part = SymmetricPart.whole(stiffness)
    if constraints is None or not constraints.shape[0]:
        scaled = ScaledSystem(part, None)
        try:
            return _factorize(scaled, definite, progress, backend)
        except MemoryNeedError as need:
            return _iterated(scaled, definite, progress, near_null, need)
    defined = DefinedDofs(part.tocsr(), constraints)
    if not len(defined.dofs):
        return _factorize(ScaledSystem(part, constraints), definite, progress, backend)
    others, rows = defined.other_dofs, defined.other_rows
    remaining = constraints.tocsr()[rows][:, others] if len(rows) else None
    try:
        inside = ScaledSystem(part.within(others), remaining)
        inner = _factorize(inside, definite, progress, backend)
    except SingularSystemError as error:
        motion = None if error.motion is None else defined.motion(error.motion[:, None])[:, 0]
        raise SingularSystemError(error.message, error.hint, motion) from error
    return CondensedFactor(inner, defined)


def _factorize(system: ScaledSystem, definite: bool, progress: Progress, backend: str | None) -> Factor:
    failure: SolveError = SolveError(
        f"No sparse solver could factor the {system.size} equations accurately.",
        "Look for very thin or distorted elements and for moduli that differ by many powers of ten.",
    )
    for name, build in _attempts(system, definite, backend):
        progress.report(0.0, f"factorising {system.size} equations ({name})")
        try:
            factor, residual = _run(partial(_factor, name, build, system), system.size, progress)
        except (ZeroPivotError, SingularSystemError) as error:
            LOG.info("%s: %s", name, error)
            failure = error if isinstance(error, SingularSystemError) else singular(None)
            if not system.m or failure.motion is not None:
                raise failure from error
            # The saddle point may only lack pivoting; a solver that pivots more decides.
            continue
        except NotDefiniteError:
            # Another solver can find out whether it is singular or has a negative direction.
            LOG.info("%s: the %d equations are not positive definite", name, system.size)
            failure = singular(None)
            continue
        except RuntimeError as error:
            LOG.warning("%s fails on %d equations (%s); trying the next solver", name, system.size, error)
            continue
        negative = factor.negative_directions() if definite else 0
        if negative:
            failure = indefinite(negative)
        if residual < RESIDUAL_TOLERANCE:
            if negative:
                raise failure
            LOG.info(
                "%s: %d equations, %d entries, residual %.1e", name, system.size, factor.entries, residual
            )
            progress.report(1.0, f"{system.size} equations factorised", solver=name)
            return factor
        LOG.warning("%s leaves a residual of %.1e; trying the next solver", name, residual)
    raise failure


def _iterated(
    system: ScaledSystem, definite: bool, progress: Progress, near_null: Callable[[], np.ndarray] | None,
    need: MemoryNeedError,
) -> Factor:  # fmt: skip
    """Return an iterative solver in place of a factor that does not fit into memory.

    Raises:
        MemoryNeedError: when no such solver is installed, or it does not suit the system or does not converge.
        SingularSystemError: when the body can still move.
    """
    kind: Any = factor_backends[ITERATIVE]
    if near_null is None or not definite:
        raise need
    if not kind.is_available():
        raise MemoryNeedError(
            need.message, f'{need.hint} With pip install "faying[amg]" it is solved iteratively.'
        )
    LOG.warning("%s It is solved iteratively.", need.message)
    progress.report(0.0, f"iterative solver for {system.size} equations ({ITERATIVE})")
    motions = near_null() / system.scale[: system.n, None]
    build = partial(_built, kind, system, definite, near_null=motions)
    try:
        factor, residual = _run(partial(_factor, ITERATIVE, build, system), system.size, progress)
    except (ZeroPivotError, NotDefiniteError) as error:
        raise singular(None) from error
    except SingularSystemError:
        raise
    except SolveError as error:
        raise MemoryNeedError(need.message, error.message) from error
    if residual >= ITERATIVE_TOLERANCE:
        raise MemoryNeedError(need.message, f"The iterative solver leaves a residual of {residual:.1e}.")
    progress.report(1.0, f"{system.size} equations prepared", solver=ITERATIVE)
    return factor


_Build = Callable[[threading.Event], Solver]


def _attempts(system: ScaledSystem, definite: bool, backend: str | None) -> Iterator[tuple[str, _Build]]:
    """Yield (name of a sparse solver, function that factors the system with it), best first."""
    if system.m:
        freed = BorderedSolver if system.m <= MOST_ROWS else EliminatedSolver
        wanted = freed is BorderedSolver or fills_little(system)
        for name, kind in _members(system.n - system.m, definite, backend)[:1] if wanted else ():
            yield name, partial(freed, kind, system, definite)
    for name, kind in _members(system.size, definite and not system.m, backend):
        yield name, partial(_built, kind, system, definite and not system.m)


def _built(
    kind: Any, system: ScaledSystem, definite: bool, stop: threading.Event, **more: Any
) -> FactorBackend:
    """Return a solver of the whole system; its matrix is assembled only when the solver is tried."""
    found: FactorBackend = kind(system.of_solver(kind), definite, stop, **more)
    return found


def _members(equations: int, definite: bool, backend: str | None) -> list[tuple[str, type[FactorBackend]]]:
    """Return the available solvers that suit a matrix, or the requested one."""
    members = [
        (name, kind)
        for name, kind in factor_backends.items()
        if name == backend or (backend is None and kind.suits(equations, definite))
    ]
    return sorted((m for m in members if m[1].is_available()), key=lambda member: member[1].rank)


def _factor(
    name: str, build: _Build, system: ScaledSystem, stop: threading.Event
) -> tuple[SparseFactor, float]:
    """Return a solver's factor and its residual; a factor that is not accurate enough refines its solutions."""
    factor = SparseFactor(name, build(stop), system)
    if stop.is_set():
        raise Interrupted
    residual = factor.examine(system)
    if name == ITERATIVE or not RESIDUAL_TOLERANCE <= residual < _REFINABLE:
        return factor, residual
    refined = factor.refined(system)
    after = refined.examine(system)
    LOG.info("%s leaves a residual of %.1e, %.1e after refinement", name, residual, after)
    return (refined, after) if after < residual else (factor, residual)


def _run(
    work: Callable[[threading.Event], tuple[SparseFactor, float]], size: int, progress: Progress
) -> tuple[SparseFactor, float]:
    """Return the result of the work, run in another thread so that this one can react to the user."""
    stop = threading.Event()
    background = Background(partial(work, stop))
    begin = time.monotonic()
    try:
        while not background.wait(0.1):
            # The duration is unknown: the fraction approaches one on the usual time for this number of equations.
            elapsed, usual = time.monotonic() - begin, _USUAL_TIME * size**_GROWTH
            share = min(elapsed / usual, 0.5 + 0.5 * elapsed / (elapsed + usual))
            progress.report(share, f"factorising {size} equations, {elapsed:.0f} s")
    except BaseException:
        # A solver that does not react is left running; it ends by itself.
        stop.set()
        background.wait(CANCEL_PATIENCE)
        raise
    try:
        return background.outcome()
    except Interrupted:
        raise Cancelled from None
