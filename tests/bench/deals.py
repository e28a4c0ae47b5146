"""How many deals a second: ``python -m tests.bench.deals [RULES]``."""

from __future__ import annotations

import json
import sys
import time

from mjcli.batch.deals import deals
from mjcli.cli.deals import answers
from mjcli.dealing import deal, wall_rules
from mjcli.ruleset import load_ruleset


def main() -> None:
    """Print the best of three runs for one deal at a time, for arrays, and for lines of JSON."""
    ruleset = load_ruleset(sys.argv[1] if len(sys.argv) > 1 else "jipinghu")
    rules = wall_rules(ruleset)

    def one_by_one(count: int) -> None:
        for index in range(count):
            deal(ruleset, seed=1, index=index)

    def in_arrays(count: int) -> None:
        for _ in deals(rules, 1, count):
            pass

    def as_lines(count: int) -> None:
        for answer in answers(ruleset, 1, count, start=0, dice=None):
            json.dumps(answer)

    for name, run, count in (
        ("one by one", one_by_one, 2_000),
        ("arrays", in_arrays, 60_000),
        ("lines", as_lines, 10_000),
    ):
        best = 0.0
        for _ in range(3):
            start = time.perf_counter()
            run(count)
            best = max(best, count / (time.perf_counter() - start))
        print(f"{name:<12} {best:>10,.0f} deals/s")


if __name__ == "__main__":
    main()
