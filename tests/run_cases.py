"""Hold mjcli to a file of scored hands: ``python -m tests.run_cases PATH [--sample N --output FILE]``.

The file is JSON Lines, gzipped or not, in the form of ``tests/cases/mcr.jsonl.gz`` or of the real cases from which
that is taken. With ``--output`` a sample, spread over all patterns, is written there in the former.
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
from pathlib import Path

from mjcli.errors import MjcliError
from tests.scored_rows import differences, read_rows, sample


def main() -> int:
    """Print every difference and a summary; return whether there was one."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("path", type=Path)
    parser.add_argument("--sample", type=int)
    parser.add_argument("--output", type=Path)
    said = parser.parse_args()
    rows = list(read_rows(said.path))
    if said.sample:
        rows = sample(rows, said.sample)
    wrong = 0
    for row in rows:
        try:
            found = differences(row)
        except MjcliError as error:
            found = [str(error)]
        if found:
            wrong += 1
            print(f"{row['id']}: {row['line']}: {'; '.join(found)}")
    print(f"{len(rows)} rows, {wrong} differ", file=sys.stderr)
    if said.output:
        text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
        said.output.write_bytes(gzip.compress(text.encode(), mtime=0))
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
