"""``python -m faying`` is the command line."""

import signal
import sys


def main() -> int:
    """Run one command (`faying.cli.main`); an interrupt while it is loading ends with a sentence, too."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        from faying.cli import main as run

        return run()
    except KeyboardInterrupt:
        print("error: interrupted", file=sys.stderr)
        return 130


if __name__ == "__main__":
    sys.exit(main())
