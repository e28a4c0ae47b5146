"""Run the command line as ``python -m mjcli``."""

from mjcli.cli.main import main

if __name__ == "__main__":
    main()
