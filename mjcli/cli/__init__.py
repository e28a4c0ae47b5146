"""The command line: one file a command, and what they share.

A command parses, asks the library once and prints. ``hands`` holds the loop of the commands that answer hands,
``entries`` and ``fields`` what is read, ``output`` what is written, ``messages`` what is said on standard error.
"""
