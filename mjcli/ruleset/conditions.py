"""The meaning of conditions: from the tree of an expression to its value in generated source."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from functools import partial
from typing import Any, Final, Protocol

from mjcli.columns import ONES
from mjcli.errors import HandError
from mjcli.notation.words import WordKind
from mjcli.ruleset import expressions as ex
from mjcli.ruleset.emit import Emitter, Value, constant
from mjcli.ruleset.model import RulesetFile
from mjcli.ruleset.program import OptionValue
from mjcli.ruleset.shapes import nearest
from mjcli.ruleset.words import (
    FORMS,
    FUNCTIONS,
    OTHER_FUNCTIONS,
    TILE_SETS,
    WAITS,
    WINDS,
    WORDS,
    Tiles,
    bonus_count,
    masks,
)

__all__ = ["Conditions", "Scope", "WordError", "shown"]

MAX_RESULT: Final = 2**31 - 1
"""The greatest number that can be written as arithmetic; columns of whole hands have 32 bits at least."""
MAX_SHIFT: Final = 30
"""The greatest exponent of ``2 ** n``: results fit 32 bits."""

_NAMED: Final[Mapping[str, Mapping[str, int]]] = {"form": FORMS, "wait": WAITS, "wind": WINDS}


class WordError(Exception):
    """A part of a condition that means nothing; ``at`` is its offset in the text.

    ``others`` are further such parts of the same condition.
    """

    def __init__(self, message: str, at: int, others: tuple[WordError, ...] = ()) -> None:
        super().__init__(message)
        self.at, self.others = at, others


class Scope(Protocol):
    """What conditions may refer to beside the vocabulary."""

    @property
    def pattern_names(self) -> Collection[str]:
        """Every pattern, in play or not."""

    def match(self, name: str) -> Value:
        """Return whether, or how often, a pattern matches; raises ``WordError`` if no condition may ask."""

    def group_names(self) -> list[str]:
        """Every group of patterns."""

    def group_values(self, name: str) -> list[tuple[Value, Value]]:
        """Return the value and the count of each pattern of a group, or of ``all``."""


class Conditions:
    """Gives trees their values, for one file under certain options."""

    def __init__(self, file: RulesetFile, options: Mapping[str, OptionValue], emitter: Emitter, scope: Scope) -> None:
        """``scope`` answers for patterns and groups."""
        self.file, self.options, self.emitter, self.scope = file, options, emitter, scope
        self.option_words = {value.text for option in file.options.values() for value in option.values} | {"none"}
        self.steps: dict[str, Value] = {}
        """The steps of the score compiled so far."""
        self.in_steps = False
        """Whether groups may be summed."""
        self.options_only = False
        """Whether a word that is both an option and a pattern means the option."""
        self.options_first = False
        """Whether a word that is both an option and a pattern means the option, though others may be patterns."""

    def value(self, node: ex.Node) -> Value:
        """Return the value of a tree.

        Raises:
            WordError: it has none.
        """
        emitter = self.emitter
        match node:
            case ex.Literal():
                return constant(node.value)
            case ex.Name():
                return self._name(node)
            case ex.TileText():
                if node.text in self.option_words:
                    return constant(node.text)
                raise WordError(f"tiles '{node.text}' stand only after 'in' or as an argument", node.start)
            case ex.Call():
                return self._call(node)
            case ex.Every():
                return self._joined(node)
            case ex.Not():
                return emitter.invert(self.truth(node.part))
            case ex.Conditional():
                return self._conditional(node)
            case ex.Compare():
                return self._compare(node)
            case ex.Membership():
                found = self._membership(node)
                return emitter.invert(found) if node.negated else found
            case ex.Negative():
                part = self._number(node.part)
                return constant(-part.const) if isinstance(part.const, int) else emitter.number(f"-{part.text}")
            case ex.Binary():
                return self._arithmetic(node)
        raise WordError("tiles stand only after 'in' or as an argument", node.start)

    def _each(self, *reads: Callable[[], Value]) -> list[Value]:
        """Return the values of parts that can be read apart; what is wrong with any of them is said at once."""
        found: list[Value] = []
        errors: list[WordError] = []
        for read in reads:
            try:
                found.append(read())
            except WordError as error:
                errors += [error, *error.others]
        if errors:
            raise WordError(str(errors[0]), errors[0].at, tuple(errors[1:]))
        return found

    def _numbers(self, *nodes: ex.Node) -> list[Value]:
        return self._each(*(partial(self._number, node) for node in nodes))

    def truth(self, node: ex.Node) -> Value:
        """Return the value of a tree that is a truth, or a number that is zero or not.

        Raises:
            WordError: it has none.
        """
        value = self.value(node)
        if value.type not in ("number", "truth"):
            raise WordError(f"'{value.const or value.text}' is a name; compare it with '==' or 'in'", node.start)
        return self.emitter.as_truth(value)

    def _number(self, node: ex.Node) -> Value:
        value = self.value(node)
        if value.type not in ("number", "truth"):
            raise WordError(f"'{value.const or value.text}' is a name, not a number", node.start)
        return self.emitter.as_number(value)

    def _name(self, node: ex.Name) -> Value:
        word = node.word
        if word in self.steps:
            return self.steps[word]
        if word in self.options and (self.options_only or self.options_first):
            return self._option(node)
        if word in self.scope.pattern_names:
            if self.options_only:
                raise WordError(f"only options may decide this, and '{word}' is a pattern", node.start)
            try:
                return self.scope.match(word)
            except WordError as error:
                raise WordError(str(error), node.start) from None
        if word in self.options:
            return self._option(node)
        if word in ("true", "false"):
            return constant(word == "true")
        if word in WORDS:
            known = WORDS[word]
            return Value(known.type, self.emitter.let(known.source))
        if word in self.file.context:
            kind = self.file.context[word].kind
            if kind is not None and kind.names_tiles:
                raise WordError(f"'{word}' names tiles; held({word}) is their number in the hand", node.start)
            return Value("truth" if kind is WordKind.FLAG else "number", self.emitter.let(f"x_{word}"))
        if word in self.option_words:
            return constant(word)
        for left, names in _NAMED.items():
            if word in names:
                asked = "seat" if left == "wind" else left
                raise WordError(f"'{word}' is a {left}; compare it, as in '{asked} == {word}'", node.start)
        if word in FUNCTIONS or word in OTHER_FUNCTIONS:
            raise WordError(f"'{word}' needs an argument, such as {word}(..)", node.start)
        if word in self.file.score:
            raise WordError(f"step '{word}' is not known yet; a step uses those above it", node.start)
        known_words = [*WORDS, *self.scope.pattern_names, *self.options, *self.steps, *self.file.context]
        raise WordError(f"no word '{word}'{nearest(word, known_words)}; 'mjcli rules words' lists them", node.start)

    def _option(self, node: ex.Name) -> Value:
        value = self.options[node.word]
        if isinstance(value, tuple):
            raise WordError(f"'{node.word}' is a list; what can be asked is 'NUMBER in {node.word}'", node.start)
        return constant(value)

    def _joined(self, node: ex.Every) -> Value:
        found = self.parts(node)
        return self.emitter.any(found) if node.word == "or" else self.emitter.all(found)

    def parts(self, node: ex.Every) -> list[Value]:
        """Return the truths that ``and`` or ``or`` joins; after one that decides it, that one again for each.

        Raises:
            WordError: one has no value.
        """
        ends = node.word == "or"
        decided = False

        def read(part: ex.Node) -> Value:
            nonlocal decided
            if decided:
                return constant(ends)  # what follows may make sense only where this does not decide
            value = self.truth(part)
            decided = value.const is ends
            return value

        return self._each(*(partial(read, part) for part in node.parts))

    def _conditional(self, node: ex.Conditional) -> Value:
        test = self.truth(node.test)
        if test.const is not None:
            return self.value(node.yes if test.const else node.no)
        yes, no = self._each(partial(self.value, node.yes), partial(self.value, node.no))
        if yes.type != no.type:
            yes, no = self._number(node.yes), self._number(node.no)
        return self.emitter.choose(test, yes, no)

    def _compare(self, node: ex.Compare) -> Value:
        lefts = (node.first, *(right for _, right in node.rest))
        parts = self._each(
            *(
                partial(self._compare_two, left, operator, right)
                for left, (operator, right) in zip(lefts, node.rest, strict=False)
            )
        )
        return self.emitter.all(parts)

    def _compare_two(self, left_node: ex.Node, operator: str, right_node: ex.Node) -> Value:
        left = self.value(left_node)
        if left.type in _NAMED:
            names = _NAMED[left.type]
            word = right_node.word if isinstance(right_node, ex.Name) else ""
            if operator not in ("==", "!=") or word not in names:
                hint = "" if word in names else nearest(word, list(names))
                message = f"'{left.text}' is compared by == or != with one of {', '.join(names)}{hint}"
                raise WordError(message, right_node.start)
            return self.emitter.truth(f"{left.text}{operator}{names[word]}")
        right = self.value(right_node)
        if "word" in (left.type, right.type):
            if operator not in ("==", "!=") or left.const is None or right.const is None:
                raise WordError("an option's word is compared by == or != with an option's value", left_node.start)
            return constant((left.const == right.const) is (operator == "=="))
        left, right = self._numbers(left_node, right_node)
        if isinstance(left.const, int) and isinstance(right.const, int):
            one, two = left.const, right.const
            return constant(
                {
                    "==": one == two,
                    "!=": one != two,
                    "<": one < two,
                    "<=": one <= two,
                    ">": one > two,
                    ">=": one >= two,
                }[operator]
            )
        return self.emitter.truth(f"{left.text}{operator}{right.text}")

    def _membership(self, node: ex.Membership) -> Value:
        left = node.left
        if isinstance(left, ex.Name) and left.word in ("pair", "win"):
            if node.tiles is None:
                raise WordError(f"'{left.word} in' takes tiles, such as 258m or dragons, without brackets", left.start)
            tiles = self._tiles(node.tiles)
            column = "R" if left.word == "pair" else "W"
            inside = "|".join(f"({column}{suit}&{tiles.of(suit)})" for suit in tiles.suits)
            found = self.emitter.truth(f"({inside})!=0")
            if left.word == "win":
                return found
            return self.emitter.all([found, self.emitter.truth(f"form!={FORMS['seven_pairs']}")])
        if isinstance(left, ex.Literal) and isinstance(node.tiles, ex.Name):
            numbers = self.options.get(node.tiles.word)
            if isinstance(numbers, tuple):
                return constant(left.value in numbers)
        if node.tiles is not None:
            raise WordError("only 'pair' and 'win' can be 'in' tiles; words stand in brackets", node.left.start)
        return self.emitter.any(self._each(*(partial(self._compare_two, left, "==", word) for word in node.words)))

    def _arithmetic(self, node: ex.Binary) -> Value:
        chain = [node]
        while isinstance(chain[-1].left, ex.Binary):
            chain.append(chain[-1].left)  # a long sum leans to the left; it is not gone down by recursion
        first, *rest = self._numbers(chain[-1].left, *(part.right for part in reversed(chain)))
        for part, right in zip(reversed(chain), rest, strict=True):
            first = self._calculated(part, first, right)
        return first

    def _calculated(self, node: ex.Binary, left: Value, right: Value) -> Value:
        one, two = left.const, right.const
        operator = node.operator
        if operator == "**":
            if one != 2:
                raise WordError("only powers of 2 can be taken", node.left.start)
            if isinstance(two, int):
                if not 0 <= two <= MAX_SHIFT:
                    raise WordError(f"the exponent is 0 to {MAX_SHIFT}", node.right.start)
                return constant(2**two)
            return self.emitter.number(f"1<<min2(max2({right.text},0),{MAX_SHIFT})")
        if operator in ("//", "%") and not (isinstance(two, int) and two > 0):
            raise WordError("the divisor is a number above 0", node.right.start)
        if isinstance(one, int) and isinstance(two, int):
            result = {
                "+": one + two,
                "-": one - two,
                "*": one * two,
                "//": one // two if two else 0,
                "%": one % two if two else 0,
            }[operator]
            if abs(result) > MAX_RESULT:
                raise WordError(f"numbers go up to {MAX_RESULT}", node.start)
            return constant(result)
        return self.emitter.number(f"({left.text}{operator}{right.text})")

    # calls
    def _call(self, node: ex.Call) -> Value:
        word, arguments = node.word, node.arguments
        if word in FUNCTIONS:
            if len(arguments) != 1:
                raise WordError(f"'{word}' takes one set of tiles", node.start)
            known = FUNCTIONS[word]
            return Value(known.type, self.emitter.let(known.source(self._tiles(arguments[0]))))
        if word not in OTHER_FUNCTIONS:
            raise WordError(f"no function '{word}'{nearest(word, [*FUNCTIONS, *OTHER_FUNCTIONS])}", node.start)
        if word == "identical":
            return self._identical(node)
        if word in ("held", "said"):
            return self._named_tiles(node)
        if word == "bonus_tiles":
            return self._bonus_tiles(node)
        if word in ("min", "max") and len(arguments) > 1:
            return self._extreme(word, self._numbers(*arguments))
        if word in ("sum", "max", "any", "count") and len(arguments) == 1:
            return self._of_group(node)
        if word in ("up", "pick") and len(arguments) == 2:
            return self._up(node) if word == "up" else self._pick(node)
        raise WordError(f"'{word}': {OTHER_FUNCTIONS[word]}", node.start)

    def _extreme(self, word: str, values: list[Value]) -> Value:
        found = values[0]
        for value in values[1:]:
            if isinstance(found.const, int) and isinstance(value.const, int):
                found = constant(min(found.const, value.const) if word == "min" else max(found.const, value.const))
            else:
                found = self.emitter.number(f"{word}2({found.text},{value.text})")
        return found

    def _identical(self, node: ex.Call) -> Value:
        count, *rest = node.arguments
        side = rest[0].word if rest and isinstance(rest[0], ex.Name) else ""
        if not isinstance(count, ex.Literal) or not 1 <= count.value <= 4 or side != "concealed" * len(rest):
            raise WordError(OTHER_FUNCTIONS["identical"], node.start)
        letter = "D" if rest else "C"
        add = (4 - count.value) * ONES
        return self.emitter.number("+".join(f"popc({letter}{suit}+{add}&{4 * ONES})" for suit in range(3)))

    def _named_tiles(self, node: ex.Call) -> Value:
        word = node.arguments[0].word if isinstance(node.arguments[0], ex.Name) else ""
        known = self.file.context.get(word)
        if known is None or not (known.kind is None or known.kind.names_tiles) or len(node.arguments) != 1:
            raise WordError(f"{node.word}(WORD) takes a context word of this ruleset that names tiles", node.start)
        return self.emitter.number(f"held_{word}" if node.word == "held" else f"x_{word}")

    def _bonus_tiles(self, node: ex.Call) -> Value:
        argument = node.arguments[0] if len(node.arguments) == 1 else node
        if not isinstance(argument, ex.TileText):
            raise WordError(OTHER_FUNCTIONS["bonus_tiles"], node.start)
        try:
            return self.emitter.number(bonus_count(argument.text))
        except HandError as error:
            raise WordError(str(error), argument.start) from None

    def _up(self, node: ex.Call) -> Value:
        value, step = self._numbers(*node.arguments)
        if not isinstance(step.const, int) or step.const <= 0:
            raise WordError("the step is a number above 0", node.arguments[1].start)
        if isinstance(value.const, int):
            return constant(-(-value.const // step.const) * step.const)
        return self.emitter.number(f"-(-{value.text}//{step.const})*{step.const}")

    def _pick(self, node: ex.Call) -> Value:
        table = node.arguments[0].word if isinstance(node.arguments[0], ex.Name) else ""
        chosen = self.options.get(table, table)
        if chosen not in self.file.tables or not self.file.tables[str(chosen)]:
            raise WordError(
                f"no table '{chosen}' (tables: {', '.join(self.file.tables) or 'none'})", node.arguments[0].start
            )
        index = self._number(node.arguments[1])
        last = len(self.file.tables[str(chosen)]) - 1
        return self.emitter.number(f"pick(TABLE_{chosen},min2(max2({index.text},0),{last}))")

    def _of_group(self, node: ex.Call) -> Value:
        argument = node.arguments[0]
        name = argument.word if isinstance(argument, ex.Name) else ""
        if not self.in_steps:
            raise WordError(f"'{node.word}' of a group stands only in the steps of 'score'", node.start)
        if name != "all" and name not in self.scope.group_names():
            raise WordError(f"no group '{name}' (groups: all, {', '.join(self.scope.group_names())})", argument.start)
        members, emitter = self.scope.group_values(name), self.emitter
        if node.word == "any":
            return emitter.any([emitter.as_truth(count) for _, count in members])
        if node.word == "count":
            return emitter.sum([emitter.as_number(emitter.as_truth(count)) for _, count in members])
        values = [emitter.times(fan, count) for fan, count in members]
        return emitter.sum(values) if node.word == "sum" else self._extreme("max", [constant(0), *values])

    def _tiles(self, node: ex.Node) -> Tiles:
        match node:
            case ex.Union():
                found = self._tiles(node.parts[0])
                for part in node.parts[1:]:
                    found |= self._tiles(part)
                return found
            case ex.TileText():
                try:
                    return Tiles(masks(node.text))
                except HandError as error:
                    raise WordError(str(error), node.start) from None
            case ex.Name() if node.word in TILE_SETS:
                return Tiles(masks(TILE_SETS[node.word]))
            case ex.Name() if node.word in ("seat", "round"):
                return Tiles((0, 0, 0, 0), (self.emitter.let(f"1<<3*{self.emitter.let(node.word)}-3"),))
        known = [*TILE_SETS, "seat", "round"]
        hint = nearest(node.word, known) if isinstance(node, ex.Name) else ""
        message = f"tiles are wanted here: such as 258m19p, or {', '.join(known)}, joined by |{hint}"
        raise WordError(message, node.start)

    def leaves(self, tree: ex.Node) -> Iterator[tuple[str, Value]]:
        """Yield the numbers and names that a tree reads, truths apart, with the text of each."""
        seen = set()
        for node in ex.walk(tree):
            if isinstance(node, ex.Name) and (
                node.word in self.steps
                or (node.word in self.options and not isinstance(self.options[node.word], bool))
                or (node.word in WORDS and WORDS[node.word].type != "truth")
            ):
                text = node.word
            elif isinstance(node, ex.Call) and (
                node.word in ("identical", "held", "said", "bonus_tiles")
                or (node.word in FUNCTIONS and FUNCTIONS[node.word].type != "truth")
            ):
                text = f"{node.word}({', '.join(_said(part) for part in node.arguments)})"
            else:
                continue
            if text not in seen:
                seen.add(text)
                try:
                    yield text, self.value(node)
                except WordError:
                    continue  # it stands where an option has decided already


def shown(value: Value) -> Any:
    """Return the variable that holds a value, or the constant that it is, a word in quotes."""
    return value.text if value.const is None or value.type == "word" else value.const


def _said(node: ex.Node) -> str:
    match node:
        case ex.Name():
            return node.word
        case ex.TileText():
            return node.text
        case ex.Literal():
            return str(node.value)
        case ex.Union():
            return " | ".join(_said(part) for part in node.parts)
    return "..."
