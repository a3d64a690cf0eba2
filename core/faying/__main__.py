"""``python -m faying`` is the command line."""

import signal
import sys
from pathlib import Path

from faying.foreign_settings import forget_the_folder


def main() -> int:
    """Run one command (`faying.cli.main`); an interrupt while it is loading ends with a sentence, too."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    forget_the_folder(sys.path, Path(__file__).parent)
    try:
        from faying.cli import main as run

        return run()
    except KeyboardInterrupt:
        print("error: interrupted", file=sys.stderr)
        return 130


if __name__ == "__main__":
    sys.exit(main())
