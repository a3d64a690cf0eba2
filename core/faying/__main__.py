"""``python -m faying`` is the command line."""

import sys

from faying.cli import main

sys.exit(main())
