"""The LuGre law: Dahl's with a limit that falls with velocity, and two dampers."""

from typing import ClassVar

import numpy as np

from faying.joints.friction_laws import FrictionLaw, LinearizedStep, Traction, friction_laws
from faying.joints.friction_laws._hysteretic import SLIPPING_SHARE
from faying.params import parameter


@friction_laws.register("lugre")
class LuGre(FrictionLaw):
    """LuGre friction (thesis appendix E.1; Canudas de Wit and others, 1995), in two tangential directions.

    Bristles of deflection z bend with dz/dt = v − σ₀ |v|/g(v) z, and τ = σ₀ z + σ₁ dz/dt + σ₂ v. The limit g falls from
    R_G = μ p at rest to a share k of it with growing velocity (Stribeck): g = R_G (k + (1 − k) exp(−(v/v_S)²)). Over a
    step the velocity is constant, so the bristles' stress has a closed solution, Dahl's. A step without duration has no
    velocity: the bristles follow the slip at rest, and the dampers' stress stays as committed.

    History: bristle stress σ₀ z (2), slip (2), dampers' stress (2).
    """

    title: ClassVar[str] = "LuGre"
    advice: ClassVar[str] = (
        "Friction that falls with speed (Stribeck) and depends on it: stick-slip vibrations, squeal."
    )
    history_size: ClassVar[int] = 6
    stiffness_name: ClassVar[str] = "bristle_stiffness"

    friction_coefficient: float = parameter(
        0.15, title="Friction coefficient", ge=0.0, le=10.0,
        meaning="Sticking limit per pressure at rest, μ.",
    )  # fmt: skip
    kinetic_share: float = parameter(
        0.8, title="Kinetic share", gt=0.0, le=1.0,
        meaning="Limit at high velocity over the limit at rest, k; 1 for none of Stribeck's effect.",
    )  # fmt: skip
    stribeck_velocity: float = parameter(
        10.0, title="Stribeck velocity", quantity="velocity", gt=0.0,
        meaning="Velocity at which the limit has fallen most of the way, v_S.",
    )  # fmt: skip
    bristle_stiffness: float | None = parameter(
        None, title="Bristle stiffness", quantity="contact_stiffness", gt=0.0,
        meaning="Friction stress per slip from rest, σ₀. Without one: 2 (1 − ν)/(2 − ν) times the stiffness of the "
        "contact law (Mindlin), ν of the joint's materials.",
    )  # fmt: skip
    bristle_damping: float = parameter(
        0.0, title="Bristle damping", quantity="contact_damping", ge=0.0,
        meaning="Friction stress per velocity of the bristles' bending, σ₁.",
    )  # fmt: skip
    viscous_damping: float = parameter(
        0.0, title="Viscous damping", quantity="contact_damping", ge=0.0,
        meaning="Friction stress per slip velocity, σ₂.",
    )  # fmt: skip

    def damping_at(self, frequency: float) -> float:
        """Return bristle and viscous damping."""
        return self.bristle_damping + self.viscous_damping

    def sticking_limit(self, pressure: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return (n,) the sticking limit μ p, a stress, and (n,) its derivative by the pressure, μ."""
        return self.friction_coefficient * pressure, np.full_like(pressure, self.friction_coefficient)

    def traction(
        self,
        slip: np.ndarray,
        limit: np.ndarray,
        history: np.ndarray,
        time_step: float,
        *,
        derivatives: bool = True,
    ) -> Traction:
        """Return the friction stress of closed pairs."""
        stiffness, share = self.known_stiffness, self.kinetic_share
        start, path = history[:, :2], slip - history[:, 2:4]
        length = np.sqrt(np.einsum("ij,ij->i", path, path))
        rests = length == 0.0
        divisor = np.where(rests, 1.0, length)
        direction = path / divisor[:, None]
        per_time = 1.0 / time_step if time_step > 0.0 else 0.0
        fading, g, kept = self._kept(length, limit, per_time)
        excess = start - g[:, None] * direction
        bristles = np.where((limit > 0.0)[:, None], kept[:, None] * excess + g[:, None] * direction, 0.0)
        if time_step > 0.0:
            bending = self.bristle_damping / stiffness * per_time
            dampers = bending * (bristles - start) + self.viscous_damping * per_time * path
        else:
            bending, dampers = 0.0, history[:, 4:6]
        answer = Traction(
            stress=bristles + dampers,
            history=np.column_stack([bristles, slip, dampers]),
            slipping=np.sqrt(np.einsum("ij,ij->i", bristles, bristles)) >= SLIPPING_SHARE * g * (limit > 0.0),
        )
        if not derivatives:
            return answer
        # ∂(σ₀ z)/∂g, then the change with the slip along the path, which changes g too, and across it.
        by_g = (1.0 - kept)[:, None] * direction + (kept * (stiffness * length / g) / g)[:, None] * excess
        g_by_length = -2.0 * limit * fading * length * (per_time / self.stribeck_velocity) ** 2
        by_length = g_by_length[:, None] * by_g - (stiffness * kept / g)[:, None] * excess
        across = np.stack([-direction[:, 1], direction[:, 0]], axis=-1)
        turned = (g * (1.0 - kept) / divisor)[:, None, None] * across[:, :, None] * across[:, None, :]
        # At the very point where slip may turn there are two slopes; between them is the elastic one.
        moving = by_length[:, :, None] * direction[:, None, :] + turned
        d_bristles = np.where(rests[:, None, None], stiffness * np.eye(2), moving)
        d_bristles = np.where((limit > 0.0)[:, None, None], d_bristles, 0.0)
        d_limit = np.where((limit > 0.0)[:, None], (share + fading)[:, None] * by_g, 0.0)
        return Traction(
            answer.stress,
            answer.history,
            answer.slipping,
            (1.0 + bending) * d_bristles + self.viscous_damping * per_time * np.eye(2),
            (1.0 + bending) * d_limit,
        )

    def linearized_step(
        self, slip: np.ndarray, limit: np.ndarray, history: np.ndarray, time_step: float
    ) -> LinearizedStep:
        """Return a step with its derivatives; the old slip counts as the start of the path."""
        answer = self.traction(slip, limit, history, time_step)
        assert answer.d_slip is not None and answer.d_limit is not None
        path = slip - history[:, 2:4]
        per_time = 1.0 / time_step if time_step > 0.0 else 0.0
        kept = self._kept(np.sqrt(np.einsum("ij,ij->i", path, path)), limit, per_time)[2]
        bending = self.bristle_damping / self.known_stiffness * per_time
        viscous = self.viscous_damping * per_time * np.eye(2)
        # The bristles' stress, then the dampers': by the slip, the limit, and the bristles' stress at the start.
        bristles_by_slip = (answer.d_slip - viscous) / (1.0 + bending)
        bristles_by_limit = answer.d_limit / (1.0 + bending)
        bristles_by_start = kept[:, None, None] * np.eye(2)
        dampers_by_slip = bending * bristles_by_slip + viscous
        dampers_by_start = bending * (bristles_by_start - np.eye(2))
        n, stays = len(slip), np.eye(2) * (time_step == 0.0)
        by_slip, by_limit, by_history = np.zeros((n, 6, 2)), np.zeros((n, 6)), np.zeros((n, 6, 6))
        by_slip[:, :2], by_slip[:, 2:4], by_slip[:, 4:] = bristles_by_slip, np.eye(2), dampers_by_slip
        by_limit[:, :2], by_limit[:, 4:] = bristles_by_limit, bending * bristles_by_limit
        by_history[:, :2, :2], by_history[:, :2, 2:4] = bristles_by_start, -bristles_by_slip
        by_history[:, 4:, :2], by_history[:, 4:, 2:4] = dampers_by_start, -dampers_by_slip
        by_history[:, 4:, 4:] = stays
        return LinearizedStep(answer, by_history[:, :2] + by_history[:, 4:], by_slip, by_limit, by_history)

    def _kept(
        self, length: np.ndarray, limit: np.ndarray, per_time: float
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return (n,) Stribeck's part of the limit over R_G, the limit g, and the share of the stress that is kept."""
        stiffness, share = self.known_stiffness, self.kinetic_share
        fading = (1.0 - share) * np.exp(-((length * per_time / self.stribeck_velocity) ** 2))
        # The floor replaces a limit of zero, which is reached at once.
        g = np.maximum(limit * (share + fading), 1e-12 * stiffness * length + 1e-100)
        return fading, g, np.where(limit > 0.0, np.exp(-stiffness * length / g), 0.0)
