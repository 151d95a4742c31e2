"""`python -m ad_transform`."""

import sys

from ad_transform.cli import main

sys.exit(main())
