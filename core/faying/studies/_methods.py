"""The joint-mode methods compared in studies, and their names."""

from collections.abc import Mapping

from faying.examples.error_curves import percent

DERIVATIVES = ("weighted_pod", "pod", "pod_of_forces")
"""Those made from trial vector derivatives."""

TITLES = {
    "weighted_pod": "weighted POD", "pod": "POD of TVDs", "pod_of_forces": "POD of forces",
    "vibration_modes": "vibration modes",
}  # fmt: skip


def titled(shares: Mapping[str, float]) -> str:
    """Return shares by method as text: "weighted POD 1.2 %, …"."""
    return ", ".join(f"{TITLES[method]} {percent(share)}" for method, share in shares.items())
