"""Solvers: Newton, equilibrium, time integration."""
