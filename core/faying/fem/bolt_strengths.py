"""Strength of screws: sizes and pitches of ISO metric threads, stress areas, and strengths of property classes."""

import math
import re
from dataclasses import dataclass

from faying.errors import ModelError
from faying.units import factor_to_si

# Coarse pitches by nominal diameter, mm (ISO 261:1998, table 2; those of screws also in ISO 262:1998).
COARSE_PITCHES = {
    1.6: 0.35, 2.0: 0.4, 2.5: 0.45, 3.0: 0.5, 3.5: 0.6, 4.0: 0.7, 5.0: 0.8, 6.0: 1.0, 7.0: 1.0, 8.0: 1.25, 10.0: 1.5,
    12.0: 1.75, 14.0: 2.0, 16.0: 2.0, 18.0: 2.5, 20.0: 2.5, 22.0: 2.5, 24.0: 3.0, 27.0: 3.0, 30.0: 3.5, 33.0: 3.5,
    36.0: 4.0, 39.0: 4.0, 42.0: 4.5, 45.0: 4.5, 48.0: 5.0, 52.0: 5.0, 56.0: 5.5, 60.0: 5.5, 64.0: 6.0,
}  # fmt: skip
# Stress under proof load and at 0.2 % (0.0048 d for full-size screws of 4.8, 5.8, 6.8) in N/mm², minimum values (ISO
# 898-1:2013, table 3); two columns are for d ≤ 16 mm and d > 16 mm. There is no class 9.8 above M16.
_CLASSES = {
    "4.6": ((225.0,), (240.0,)),
    "4.8": ((310.0,), (340.0,)),
    "5.6": ((280.0,), (300.0,)),
    "5.8": ((380.0,), (420.0,)),
    "6.8": ((440.0,), (480.0,)),
    "8.8": ((580.0, 600.0), (640.0, 660.0)),
    "9.8": ((650.0,), (720.0,)),
    "10.9": ((830.0,), (940.0,)),
    "12.9": ((970.0,), (1100.0,)),
}
STRENGTH_CLASSES = tuple(_CLASSES)
_LARGE, _SMALL_ONLY = 16.0, ("9.8",)
_SIZE = re.compile(r"\s*[Mm]\s*(\d+(?:\.\d+)?)\s*(?:[xX×]\s*(\d+(?:\.\d+)?))?\s*")


@dataclass(frozen=True)
class Thread:
    """An ISO metric thread, in mm.

    Attributes:
        diameter: nominal, d.
        pitch: P.
    """

    diameter: float
    pitch: float

    @property
    def core_diameter(self) -> float:
        """d₃ = d − 1.22687 P (ISO 898-1:2013, section 9.1.6.1, with the basic dimensions of ISO 724)."""
        return self.diameter - 1.22687 * self.pitch

    @property
    def pitch_diameter(self) -> float:
        """d₂ = d − 0.64952 P (ISO 724:1993)."""
        return self.diameter - 0.64952 * self.pitch

    @property
    def stress_diameter(self) -> float:
        """d_s, the mean of both."""
        return 0.5 * (self.pitch_diameter + self.core_diameter)

    @property
    def stress_area(self) -> float:
        """A_s = π/4 d_s² (ISO 898-1:2013, section 9.1.6.1)."""
        return 0.25 * math.pi * self.stress_diameter**2


def thread_of(size: str) -> Thread:
    """Return the thread of a size: "M8" with the coarse pitch, "M8x1" with the given pitch.

    Raises:
        ModelError: when the text is not a metric size, or its coarse pitch is unknown.
    """
    found = _SIZE.fullmatch(size)
    if found is None:
        raise ModelError(f"{size!r} is no size of a metric thread.", 'Write it as "M8" or "M8x1".')
    diameter = float(found[1])
    pitch = float(found[2]) if found[2] else COARSE_PITCHES.get(diameter, 0.0)
    if not 0.0 < pitch < 0.5 * diameter:
        raise ModelError(
            f"The thread {size!r} has no known pitch."
            if not pitch
            else f"The pitch of {size!r} is too large.",
            f'Write it after the diameter: "M{diameter:g}x1".',
        )
    return Thread(diameter, pitch)


def assembly_force(
    size: str, strength_class: str, units: str, utilisation: float = 0.9, friction: float = 0.12
) -> float | None:
    """Return the tension to which a screw is tightened by torque (VDI 2230-1:2015, eq. R8/1, table A1).

    Tension and torsion of tightening together use a share of the yield strength. The smallest section is the stress
    area.

    Args:
        size: "M8".
        strength_class: "8.8".
        units: unit system of the returned force.
        utilisation: share of the yield strength, ν.
        friction: coefficient of friction in the thread, μ_G.

    Returns:
        The force; None where the standard defines no strength of that class for the size.

    Raises:
        ModelError: for an unknown size or class.
    """
    thread, column = thread_of(size), _strengths(strength_class)
    if thread.diameter > _LARGE and strength_class in _SMALL_ONLY:
        return None
    at_yield = column[1][-1 if thread.diameter > _LARGE else 0]
    slope = thread.pitch / (math.pi * thread.pitch_diameter) + 1.155 * friction
    torsion = 1.5 * thread.pitch_diameter / thread.stress_diameter * slope
    newtons = utilisation * at_yield * thread.stress_area / math.sqrt(1.0 + 3.0 * torsion**2)
    return newtons / factor_to_si("force", units)


def _strengths(strength_class: str) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Return the stresses under proof load and at yield of a property class."""
    if strength_class not in _CLASSES:
        raise ModelError(
            f"{strength_class!r} is no property class of screws.", f"Known are: {', '.join(_CLASSES)}."
        )
    return _CLASSES[strength_class]


@dataclass(frozen=True)
class BoltSafety:
    """Safety factors of a screw of known size and property class.

    Attributes:
        stress: largest tensile stress in the stress area, with bending.
        proof: proof load over the largest force (ISO 898-1).
        yielding: yield strength over the largest stress.
        fatigue: fatigue strength over stress amplitude (VDI 2230-1:2015, eq. 189 and step R9; threads rolled before
            heat treatment).
    """

    stress: float
    proof: float
    yielding: float
    fatigue: float


def safety(
    size: str, strength_class: str, forces: tuple[float, float], bending: float, units: str
) -> BoltSafety:
    """Return the safety factors of a screw; torsion from tightening is neglected.

    Args:
        size: "M8".
        strength_class: "8.8"; if empty, or not defined by the standard for this size, only stress and fatigue are
            computed, which do not depend on it.
        forces: smallest and largest axial force after tightening, in `units`.
        bending: largest bending moment, in `units`.
        units: unit system of the forces and moments.

    Raises:
        ModelError: for an unknown size or class.
    """
    thread = thread_of(size)
    newton, newton_mm = factor_to_si("force", units), 1e3 * factor_to_si("moment", units)
    low, high = (newton * force for force in forces)
    section_modulus = math.pi * thread.stress_diameter**3 / 32.0
    stress = high / thread.stress_area + newton_mm * bending / section_modulus
    proof = yielding = math.nan
    if strength_class:
        large = thread.diameter > _LARGE
        under_proof, at_yield = (column[-1 if large else 0] for column in _strengths(strength_class))
        if not (large and strength_class in _SMALL_ONLY):
            proof = under_proof * thread.stress_area / high if high > 0.0 else math.inf
            yielding = at_yield / stress if stress > 0.0 else math.inf
    # Fatigue strength (amplitude) of threads rolled before heat treatment: 0.85 (150 / d + 45) N/mm².
    endured, amplitude = 0.85 * (150.0 / thread.diameter + 45.0), 0.5 * (high - low) / thread.stress_area
    fatigue = endured / amplitude if amplitude > 1e-9 * endured else math.inf
    of_stress = factor_to_si("stress", units)
    return BoltSafety(1e6 * stress / of_stress, proof, yielding, fatigue)
