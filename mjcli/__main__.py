"""The process ``mjcli``, also ``python -m mjcli``."""

import gc
import sys


def main() -> None:
    """Run the command line of this process, and exit.

    What is imported stays to the end, so it is kept from the garbage collector, during and after: a seventh of the time
    of a short run.
    """
    gc.disable()
    try:
        from mjcli.cli.main import app

        gc.freeze()
        gc.enable()
        app(prog_name="mjcli")
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
