"""Contracts: tests that every member of a family must pass, including members from other packages."""
