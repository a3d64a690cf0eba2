"""``python -m faying_app``."""

from faying_app.main import main

if __name__ == "__main__":
    raise SystemExit(main())
