#!/usr/bin/env python3
"""Verifies recordings and vectors of the wire format, independently of the product's code.

verify.py vectors FOLDER…     recomputes all published vectors
verify.py recording FILE…     replays recorded conferences
"""

import sys
from pathlib import Path

try:
    from encoding import Invalid
    from recording import check_recording
    from vectors import check_folder
except ImportError as error:
    print(f"Install python3-cryptography: {error}", file=sys.stderr)
    sys.exit(2)


def verify_recording(path):
    try:
        for line in check_recording(path):
            print(f"{path.name}: {line}")
        return 0
    except Invalid as error:
        print(f"{path.name}: does not verify: {error}")
        return 1


def main(arguments):
    commands = {"vectors": check_folder, "recording": verify_recording}
    if len(arguments) < 2 or arguments[0] not in commands:
        print(__doc__, file=sys.stderr)
        return 2
    return 1 if sum(commands[arguments[0]](Path(path)) for path in arguments[1:]) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
