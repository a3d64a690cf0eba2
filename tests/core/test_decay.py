"""The logarithmic decrement of vibrations whose damping is known."""

import numpy as np
import pytest

from faying.errors import ModelError
from faying.results.decay import free_decay


@pytest.mark.parametrize("damping", [0.0005, 0.01, 0.2])
def test_damped_oscillator_about_a_mean_that_moves(damping):
    """Kind: analytical; a linear drift of the mean adds the same to every crest and trough."""
    omega = 2.0 * np.pi * 100.0
    times = np.linspace(0.0, 0.05, 601)
    free = omega * np.sqrt(1.0 - damping**2)
    decay = free_decay(times, 3.0 + 2.0 * np.exp(-damping * omega * times) * np.cos(free * times))
    assert decay.damping == pytest.approx(damping, rel=0.01, abs=1e-6)
    assert decay.frequencies == pytest.approx(free / (2.0 * np.pi), rel=1e-3)


def test_friction_alone_takes_the_same_amplitude_in_every_period():
    """A mass on a spring against friction R loses 4 R/k a period; kind: analytical."""
    omega, loss = 2.0 * np.pi * 10.0, 0.02  # R/k
    times = np.linspace(0.0, 0.5, 2001)
    half = np.floor(times * 20.0)
    values = (1.0 - (2.0 * half + 1.0) * loss) * np.cos(omega * times) + loss * np.where(
        half % 2 == 0, 1.0, -1.0
    )
    decay = free_decay(times, values)
    before, after = decay.amplitudes + 2.0 * loss, decay.amplitudes - 2.0 * loss
    decrement = np.log(before / after)
    assert decay.damping == pytest.approx(decrement / np.hypot(2.0 * np.pi, decrement), rel=0.01)


def test_span_of_time():
    times = np.linspace(0.0, 1.0, 501)
    decay = free_decay(times, np.exp(-times) * np.sin(60.0 * times))
    early, late = decay.between(0.0, 0.4), decay.between(0.6, 1.0)
    assert early[0] > late[0] and early[2] == pytest.approx(late[2], rel=0.01)
    with pytest.raises(ModelError, match="no whole period between 2 and 3"):
        decay.between(2.0, 3.0)


def test_too_few_extremes_is_a_sentence():
    with pytest.raises(ModelError, match="here are 1"):
        free_decay(np.linspace(0.0, 1.0, 50), np.sin(np.linspace(0.0, 3.0, 50)))


@pytest.mark.parametrize("rest", [0.0, 3.0])
def test_a_curve_at_rest_has_no_crests(rest):
    with pytest.raises(ModelError, match="here are 0"):
        free_decay(np.linspace(0.0, 1.0, 50), np.full(50, rest))
