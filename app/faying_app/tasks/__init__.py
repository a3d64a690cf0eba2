"""Computations in the background: one queue, one child process, progress and cancel."""
