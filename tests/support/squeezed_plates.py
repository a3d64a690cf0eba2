"""Two plates with a joint, squeezed by a pressure on both outer faces, and their dense matrices."""

import numpy as np
import scipy.linalg as la

import faying
from faying.fem.assembly import assemble
from faying.joints.kinematics import sparse_rows
from faying.params import build
from faying.progress import Silent
from faying.project.specs import Project
from faying.testing import plates as deck

BETA, ALPHA, PRESSURE = 4e-6, 30.0, 1.0
NORMAL, STICKING, FRICTION = 50_000.0, 10_000.0, 0.15
UP = {"interface": "tip", "force": [0.0, 0.0, 0.004]}


class SqueezedPlates:
    """The plates of `faying.testing.plates` with a pressure on both outer faces as preload case, and matrices."""

    def __init__(self, folder):
        path = deck.write_plate_deck(folder / "plates.inp")
        outer = "*SURFACE, NAME=TOP\nPLATE2, S2\n*SURFACE, NAME=BOTTOM\nPLATE1, S1\n"
        path.write_text(path.read_text() + outer)
        squeeze = [
            {
                "kind": "surface_pressure",
                "surface": {"kind": "deck_surface", "name": name},
                "pressure": PRESSURE,
            }
            for name in ("TOP", "BOTTOM")
        ]
        words = deck.plates(path).model_dump()
        words["bodies"][0]["preloads"] = [{"name": "squeeze", "loads": squeeze}]
        words["bodies"][0]["reduction"]["vibration_modes"] = 24
        words["bodies"][0]["joints"][0]["friction_law"]["sticking_stiffness"] = STICKING
        words["analyses"] = []
        self.project, self.folder = build(Project, words), folder

    def solved(self, *analyses):
        """Return the solution of the last of some analyses of the plates."""
        named = [{"body": "plates", "name": f"run {i}", **words} for i, words in enumerate(analyses)]
        words = {**self.project.model_dump(), "analyses": named}
        session = faying.build(self.folder / "artifacts", **words)
        self.session = session
        return session.solve(named[-1]["name"])

    def shaken(self, *before, **words):
        loads = words.pop("loads", [UP])
        common = {
            "kind": "frequency_response", "support": "hold", "loads": loads, "preloads": ["squeeze"],
            "lowest_frequency": 200.0, "highest_frequency": 4000.0, "points": 5,
            "mass_damping": ALPHA, "stiffness_damping": BETA,
        }  # fmt: skip
        return self.solved(*before, {**common, **words})

    @property
    def dense(self):
        """K of the plates alone, K with all pairs closed and stuck, with all sliding, M, and the free dofs."""
        model, pairs = self.session.read_model(), self.session.find_pairs("lap")
        matrices = assemble(model, Silent())
        rows = sparse_rows(pairs, matrices.dofs)
        K, M = matrices.stiffness.toarray(), matrices.mass.toarray()
        n, t, w = rows.normal.toarray(), rows.tangential.toarray(), rows.weights
        slides = K + n.T @ (NORMAL * w[:, None] * n)
        sticks = slides + t.T @ (STICKING * np.repeat(w, 2)[:, None] * t)
        self.matrices = matrices
        free = np.setdiff1d(np.arange(len(K)), self.node_dofs("HOLD"))
        return K, sticks, slides, M, free

    def node_dofs(self, name):
        dofs, model = self.matrices.dofs, self.session.read_model()
        return dofs.transformation[dofs.node_rows(int(model.node_set(name)[0]))].indices

    def frequencies(self, stiffness, mass, free, count):
        squares = la.eigh(
            stiffness[np.ix_(free, free)], mass[np.ix_(free, free)], eigvals_only=True,
            subset_by_index=[0, count - 1],
        )  # fmt: skip
        return np.sqrt(squares) / (2.0 * np.pi)
