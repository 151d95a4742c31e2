"""`python -m ad_transform`."""

import sys

if not sys.flags.safe_path:
    del sys.path[0]  # the folder of the call: a user's random.py is read, never run

from ad_transform.cli import main

sys.exit(main())
