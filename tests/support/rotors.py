"""A rigid rotor on two bearings, whose Campbell diagram has a closed form."""

from support.systems import system_of

MASS, POLAR, ACROSS = 4.0, 0.09, 0.05
NEAR, FAR = 0.1, 0.3  # bearings at −NEAR and FAR along the axis, from the centre of mass


def rotor(stiffness=(3e4, 3e4), damping=(0.0, 0.0), polar=POLAR, across=(ACROSS, ACROSS), **drive):
    """Return a rigid rotor along z on two bearings with stiffness along x and y; held along its axis."""
    markers = [{"name": "low", "position": (0.0, 0.0, -NEAR)}, {"name": "high", "position": (0.0, 0.0, FAR)}]
    disc = {
        "kind": "rigid",
        "name": "disc",
        "mass": MASS,
        "moments_of_inertia": (*across, polar),
        "markers": markers,
    }
    bearings = [
        {"kind": "bushing", "name": name, "first": f"ground.{name}", "second": f"disc.{name}",
         "stiffness": (*stiffness, 1e6), "damping": (*damping, 0.0)}
        for name in ("low", "high")
    ]  # fmt: skip
    turn = {
        "kind": "prescribed_angular_speed",
        "name": "turn",
        "first": "ground.origin",
        "second": "disc.frame",
    }
    return system_of(ground=markers, parts=[disc], constraints=[{**turn, **drive}], forces=bearings)
