"""Supports that take what rigid body motions the interface nodes leave a body, and nothing else."""

import numpy as np
import scipy.linalg as la

_FREE = 1e-7  # an arm below this share of the body's size holds nothing


def free_directions(motions: np.ndarray) -> np.ndarray:
    """Return (6, p) orthonormal combinations of rigid body motions under which the held dofs stay where they are.

    Args:
        motions: (k, 6) what the held dofs do under the body's rigid motions.
    """
    sizes = np.linalg.norm(motions, axis=1)
    rows = motions[sizes > 0.0] / sizes[sizes > 0.0, None]
    if not len(rows):
        return np.eye(motions.shape[1])
    _, values, transposed = la.svd(rows)
    return np.asarray(transposed[int((values > _FREE * values[0]).sum()) :].T)


def determinate_supports(motions: np.ndarray, stiffness: np.ndarray, allowed: np.ndarray) -> np.ndarray:
    """Return (p,) dofs that hold p free motions of a body statically determinate, ascending.

    Loads in balance with respect to these motions leave such supports without reactions, so whatever is computed from
    them does not depend on the choice, but for a motion that is free anyway. They are chosen by a QR factorisation with
    pivoting (Golub and Van Loan 2013, section 5.4.2), which takes dofs that move far, one by one, each as independent
    of those before as can be.

    Args:
        motions: (n_dofs, p) the free motions, of lengths that can be compared.
        stiffness: (n_dofs,) diagonal of the stiffness; soft dofs are avoided, where a support would give.
        allowed: (n_dofs,) which dofs may be held; all are looked at when these do not suffice.
    """
    count = motions.shape[1]
    firm = np.sqrt(np.clip(stiffness / np.median(stiffness[stiffness > 0.0]), 0.0, 1.0))
    for wanted in (allowed, np.ones(len(allowed), bool)):
        candidates = np.flatnonzero(wanted & (stiffness > 0.0))
        if len(candidates) < count:
            continue
        _, triangle, order = la.qr(
            (firm[candidates, None] * motions[candidates]).T, pivoting=True, mode="economic"
        )
        sizes = np.abs(np.diag(triangle))
        if sizes[-1] > _FREE * sizes[0]:
            break
    return np.sort(candidates[order[:count]])
