"""Courses: how a load or a prescribed motion goes over time. A member is one file."""

from abc import abstractmethod

from faying.params import Member
from faying.registry import Registry

courses: Registry[type["Course"]] = Registry("course over time", __name__)


class Course(Member):
    """A factor over time."""

    @abstractmethod
    def factor(self, time: float) -> float:
        """Return the factor by which a load, a place or a speed is multiplied at a time."""

    def integral(self, time: float) -> float:
        """Return the integral of the factor from 0 to a time: the way of a prescribed speed.

        Members override it where a formula exists; here it is found by adaptive quadrature.
        """
        from scipy.integrate import (
            quad,
        )  # late: it brings scipy.optimize along, half a second that few runs need

        return float(quad(self.factor, 0.0, time, epsabs=1e-12, epsrel=1e-10, limit=500)[0])
