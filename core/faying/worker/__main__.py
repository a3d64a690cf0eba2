"""``python -m faying.worker HANDLE [STAGES]``: serve the inherited connection."""

import sys

from faying.worker.child import REAL_STAGES, serve

if __name__ == "__main__":
    serve(int(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else REAL_STAGES)
