"""How ``jenkins.mat`` and ``jenkins_test.csv`` were made: an oscillator with a slider, and points of a test of it.

Not needed to use them. Run by hand as ``python make_jenkins.py FOLDER``. A mass of 1 kg moves along x on a spring of
1 N/m and, along y, on one of 4 N/m; a force of 1 N presses it along z against the ground, on an area of 1 m². Friction
is a decision of the project. The points are those of the oscillator with a slider of 0.3 N/m and 0.2 N in closed form
(quasi-static: ω² = 1 + F/a, D = 4 F (a − F/k)), with scatter of 0.2 % in frequency and 5 % in damping, and a damping
ratio of 0.002 by the air. Units m, kg, s.
"""

import sys
from pathlib import Path

import numpy as np
from scipy.io import savemat

SPRING, LIMIT, AIR = 0.3, 0.2, 0.002


def main(folder: Path) -> None:
    """Write both files."""
    matrices = {
        "M": np.eye(3), "K": np.diag([1.0, 4.0, 0.0]), "L": np.eye(3), "Qm": np.ones((1, 1)), "Tm": np.ones((1, 1)),
        "R": np.eye(3), "Fv": np.array([[0.0], [0.0], [1.0]]),
    }  # fmt: skip
    savemat(folder / "jenkins.mat", matrices)
    scatter = np.random.default_rng(7)
    amplitude = np.geomspace(0.4, 8.0, 16)
    slides = amplitude > LIMIT / SPRING
    square = 1.0 + np.where(slides, LIMIT / amplitude, SPRING)
    work = np.where(slides, 4.0 * LIMIT * (amplitude - LIMIT / SPRING), 0.0)
    damping = AIR + work / (2.0 * np.pi * square * amplitude**2)
    frequency = np.sqrt(square) / (2.0 * np.pi) * (1.0 + 2e-3 * scatter.standard_normal(16))
    damping *= 1.0 + 0.05 * scatter.standard_normal(16)
    rows = [
        f"{a:.4f},{1e3 * f:.3f},{100.0 * d:.4f}"
        for a, f, d in zip(amplitude, frequency, damping, strict=True)
    ]
    text = "amplitude [m],frequency [mHz],damping [%]\n" + "\n".join(rows) + "\n"
    (folder / "jenkins_test.csv").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
