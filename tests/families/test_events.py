"""Contracts of events and of what they do."""

from faying.testing import EventActionContract, EventContract


class TestEvents(EventContract):
    pass


class TestEventActions(EventActionContract):
    pass
