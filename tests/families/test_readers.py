"""Contract of the readers; what each format holds is tested in tests/core, broken files in tests/fuzz."""

from faying.testing import ReaderContract


class TestReaders(ReaderContract):
    pass
