"""Mutants: small changes of the core, each of which some test has to notice.

``python -m tests.mutants --number 40`` tries a sample (``--help`` says more). The core itself is left alone: a copy is
changed, and the test files that are nearest to the changed module by imports run on it.
"""
