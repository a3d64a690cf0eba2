"""The mutants are what they claim: one small change each, which is Python, and none in what is only read by people."""

import ast
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import faying
from mutants.mutations import lines_that_run, marks, mutations

ROOT = Path(__file__).parents[2]
TEXT = '''"""Of 3 < 4."""
ratio: int = parameter(0, ge=1)

def limited(x, rows):
    """Return it, if it is < 0.5."""
    rows.clear()
    for k in range(len(rows) - 1):
        if not rows[k] or x <= 0.5:
            rows[k] = -x
            continue
        x += 2
    if x is None:
        raise ValueError(f"{x + 1}" + 3)
    return rows
'''


def test_each_mutation_is_one_change() -> None:
    found = mutations(TEXT)
    assert {(m.line, m.before, m.after) for m in found} == {
        (6, "rows.clear()", "pass"),
        (7, "len(rows) - 1", "(len(rows) + 1)"),
        (7, "1", "2"),
        (8, "not rows[k] or x <= 0.5", "(not rows[k] and x <= 0.5)"),
        (8, "not rows[k]", "(rows[k])"),
        (8, "x <= 0.5", "(x < 0.5)"),
        (8, "0.5", "1.0"),
        (9, "rows[k] = -x", "pass"),
        (9, "-x", "(x)"),
        (10, "continue", "pass"),
        (11, "x += 2", "pass"),
        (11, "2", "3"),
        (12, "x is None", "(x is not None)"),
    }
    for mutation in found:
        ast.parse(mutation.text)
        changed = [
            (a, b) for a, b in zip(TEXT.splitlines(), mutation.text.splitlines(), strict=True) if a != b
        ]
        assert len(changed) == 1 and changed[0] == (TEXT.splitlines()[mutation.line - 1], changed[0][1])


SILENT = """
_TURNS = 50
_BUFFER = 1 << 16  # bytes
_SIZE = 3

def near(x, progress):
    part = PartialProgress(progress, 0.1, 0.4)
    log.info("%d", x + 1)
    for _ in range(_TURNS):
        if x < _SIZE:
            return x
    raise SolveError("none", x + 1)

def too_far(x) -> SolveError:
    return SolveError("too far" if x > 1 else "")

class Law:
    def describe(self) -> str:
        return "soft" if self.k < 1 else "hard"

    def example(cls):
        return {"stiffness": (1.0, -2.0)}
"""


def test_bounds_of_round_off_become_one_larger() -> None:
    found = mutations("near = abs(x) < 1e-9 * 0.5\n")
    assert {(m.before, m.after) for m in found} >= {("1e-9", repr(1.0 + 1e-9)), ("0.5", "1.0")}


def test_nothing_is_changed_that_no_number_follows_from() -> None:
    assert {(m.line, m.before, m.after) for m in mutations(SILENT)} == {
        (4, "3", "4"), (10, "x < _SIZE", "(x >= _SIZE)"),
    }  # fmt: skip
    assert not mutations('part = _share(k, 0.1)\ny = patiently(solve, progress, 0.4, "solving")')
    assert not mutations("y = solve(a, overwrite_a=True, check_finite=False)")
    assert not mutations("y = contact(q, jacobian=False)") and mutations("y = contact(q, jacobian=True)")
    # A loop that goes on without an error decides by its number of turns.
    assert (9, "50") not in {(m.line, m.before) for m in mutations(SILENT)}
    assert not mutations("class Pairs:\n    version = 3\ny = x.reshape(len(x), -1)")
    assert mutations("class Pairs:\n    order = 3\ny = x.reshape(len(x), 4)")
    assert not mutations("way, mono = np.empty((8, 3)), np.empty(8)") and mutations("c = np.empty((n, 3))")
    other = SILENT.replace('    raise SolveError("none", x + 1)', "    return 0")
    assert {(2, "50"), (12, "0")} <= {(m.line, m.before) for m in mutations(other)}


@pytest.mark.slow  # seconds, and not what decides alone
def test_kernels_that_run_as_machine_code_are_seen_with_all_that_they_call(tmp_path) -> None:
    """Else mutants of kernels meet the tests of their neighbours instead of those that compute with them."""
    tests, found = ROOT / "tests", tmp_path / "calls.json"
    core = Path(faying.__file__).parents[1]
    own = {"MUTANTS_CALLS": str(found), "MUTANTS_CORE": str(core)}
    paths = os.pathsep.join([str(core), str(tests), os.environ.get("PYTHONPATH", "")])
    file = "tests/core/test_rotation_vectors.py"
    of_slow_tests = "tests/core/test_impact_of_parts.py"  # nothing runs, and nothing fails
    options = ["-q", "-n", "0", "-p", "no:cacheprovider", "-p", "mutants.calls"]
    command = [sys.executable, "-m", "pytest", *options, file, of_slow_tests]
    subprocess.run(command, cwd=ROOT, env=os.environ | own | {"PYTHONPATH": paths}, check=True, timeout=300)
    told = json.loads(found.read_text())
    assert told.pop(of_slow_tests) == {"seconds": 0.0, "passes": True, "lines": {}}
    (measured,) = told.values()
    module = core / "faying/multibody/small_matrices.py"
    text = module.read_text(encoding="utf-8")
    run = set(measured["lines"]["faying/multibody/small_matrices.py"])
    for name in ("small_rotation", "tangent_change", "cross"):
        first = 1 + text[: text.index(f"def {name}(")].count("\n")
        lines, _ = lines_that_run(text, first)
        assert run & {marks(text)[line] for line in lines}, name


LINES = """
_MOST = 3

def outer(x,
          y=2):
    if x > 1:
        return [
            x,
            _MOST,
        ]
    return y

class Law:
    k = 1

    def force(self):
        return self.k
"""


def test_lines_that_run_what_a_line_says() -> None:
    assert lines_that_run(LINES, 2) == ([9], "_MOST")
    assert lines_that_run(LINES, 5) == (list(range(4, 12)), "")  # a default
    assert lines_that_run(LINES, 6) == ([6], "")
    assert lines_that_run(LINES, 8) == ([7, 8, 9, 10], "")
    assert lines_that_run(LINES, 14) == ([13, 14, 15, 16, 17], "")
    below = "import math\n" + LINES
    assert [marks(below)[line + 1] for line in range(2, 18)] == [marks(LINES)[line] for line in range(2, 18)]
