"""State-space models for control design: read from results, written as NumPy archives and MATLAB files."""

from pathlib import Path

import numpy as np

from faying.analyses.state_space import MATRICES
from faying.errors import ModelError
from faying.exporters.output import replacing
from faying.multibody.state_space import StateSpace
from faying.results.results import Results

ENDINGS = (".npz", ".mat")


def stored_state_space(results: Results, name: str) -> StateSpace:
    """Return the model that an analysis of the kind `state_space` computed.

    Args:
        results: of the analysis.
        name: of the analysis.

    Raises:
        ModelError: for results of another analysis.
    """
    if results.settings.get("kind") != "state_space":
        raise ModelError(
            f"Analysis {name!r} is no state space.", "Add an analysis 'State space of a system', and run it."
        )
    sizes = results.report["states"], len(results.report["inputs"]), len(results.report["outputs"])
    s, i, o = sizes
    shapes = {"a": (s, s), "b": (s, i), "c": (o, s), "d": (o, i)}
    matrices = {
        each: results.constant(path, f"the matrix {each.upper()}").reshape(shapes[each])
        for each, path in MATRICES.items()
    }
    inputs, outputs = (tuple(results.report[each]) for each in ("inputs", "outputs"))
    a, b, c, d = (matrices[each] for each in "abcd")
    return StateSpace(a, b, c, d, inputs, outputs)


def write_state_space(model: StateSpace, path: Path) -> None:
    """Write A, B, C, D and the names of inputs and outputs as `.npz`, or as `.mat` (MATLAB 5).

    Raises:
        ModelError: for another ending.
        FayingError: when the file cannot be written.
    """
    from scipy.io import savemat  # late: takes long to import

    if path.suffix.lower() not in ENDINGS:
        raise ModelError(f"{path.name}: a state space is written as {' or '.join(ENDINGS)}.")
    matrices = {"A": model.a, "B": model.b, "C": model.c, "D": model.d}
    with replacing(path) as target, target.open("wb") as stream:
        if path.suffix.lower() == ".npz":
            np.savez(stream, **matrices, inputs=np.array(model.inputs), outputs=np.array(model.outputs))  # type: ignore[arg-type]
        else:
            names = {"inputs": np.array(model.inputs, object), "outputs": np.array(model.outputs, object)}
            savemat(stream, matrices | names)  # type: ignore[arg-type]
