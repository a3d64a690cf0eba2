"""Which fields need what of a run: they refuse anything else with a sentence."""

_SLIP = {"friction_stress", "slip", "slip_1", "slip_2", "sticking_utilisation"}
FRICTION = frozenset(_SLIP | {"dissipated_power", "dissipated_work", "wear"})
MOTION = frozenset({"acceleration", "dissipated_power", "velocity"})
STRENGTH = frozenset({"fatigue_safety", "yield_safety"})
