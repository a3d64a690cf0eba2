"""Contracts: tests that every member of a family passes, ours and those of other packages."""
