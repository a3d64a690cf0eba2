"""The program's version; apart, so that what stamps it on files needs nothing else of the program."""

__version__ = "0.2.0"
