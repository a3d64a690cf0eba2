"""Broken inputs by the thousand: whatever a file holds, the program gives a right result or a sentence.

Valid small files of every format are mutated and opened as a user would open them, each in a guarded child process
with limits of memory and time. The mutants follow from a seed, so a failure can be looked at again. The tests run a
few; ``python -m tests.fuzz --inputs 10000`` runs as many as asked for (``--help`` says more).
"""
