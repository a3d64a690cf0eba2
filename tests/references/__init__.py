"""Plain programs that compute references of examples once more. They share no line with the program.

Each runs alone and prints its numbers, for instance ``python tests/references/flexible_beams.py``; it needs NumPy and
SciPy. `tests/examples/test_references.py` holds them against what the examples expect.
"""
