"""Rigid and flexible bodies in large motion, with constraints and forces between their markers."""
