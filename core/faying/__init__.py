"""Contact and friction inside jointed flexible bodies: the numerical core, without a window."""

__version__ = "0.1.0"
