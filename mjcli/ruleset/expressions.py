"""The condition language as text: tokens, and a tree in which every part knows its columns.

    value  = test ["if" test "else" value]
    test   = both {"or" both};  both = not {"and" not};  not = "not" not | compare
    compare = sum {("==" | "!=" | "<" | "<=" | ">" | ">=") sum | ["not"] "in" ("(" word {"," word} ")" | tiles)}
    sum    = product {("+" | "-") product};  product = power {("*" | "//" | "%") power}
    power  = "-" power | atom ["**" power]
    atom   = number | word ["(" argument {"," argument} ")"] | "(" value ")"
    tiles  = (word | literal) {"|" (word | literal)},  where a literal is such as 258m258p

Nothing here is ever given to Python's ``eval``; what the words mean is decided in ``mjcli.ruleset.words``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final, NamedTuple

__all__ = [
    "RESERVED",
    "Binary",
    "Call",
    "Compare",
    "Conditional",
    "Every",
    "ExpressionError",
    "Literal",
    "Membership",
    "Name",
    "Negative",
    "Node",
    "Not",
    "TileText",
    "Union",
    "parse",
    "parse_tiles",
    "walk",
    "without_brackets",
]

MAX_LENGTH: Final = 2_000
MAX_DEPTH: Final = 40
MAX_NUMBER: Final = 1_000_000


class ExpressionError(Exception):
    """Text that is no condition; ``at`` is the offset of the fault in it."""

    def __init__(self, message: str, at: int) -> None:
        super().__init__(message)
        self.at = at


class Span:
    """A part of a text that means something: where it starts and ends.

    These are plain classes: to make named tuples instead takes a twentieth of the time in which a ruleset is loaded.
    """

    __slots__ = ("end", "start")

    start: int
    end: int


class Literal(Span):
    """A number."""

    __slots__ = ("value",)

    def __init__(self, value: int, start: int, end: int) -> None:
        self.value, self.start, self.end = value, start, end


class TileText(Span):
    """Tiles written out, such as 258m258p."""

    __slots__ = ("text",)

    def __init__(self, text: str, start: int, end: int) -> None:
        self.text, self.start, self.end = text, start, end


class Name(Span):
    """A word."""

    __slots__ = ("word",)

    def __init__(self, word: str, start: int, end: int) -> None:
        self.word, self.start, self.end = word, start, end


class Call(Span):
    """A word with arguments."""

    __slots__ = ("arguments", "word")

    def __init__(self, word: str, arguments: tuple[Node, ...], start: int, end: int) -> None:
        self.word, self.arguments, self.start, self.end = word, arguments, start, end


class Union(Span):
    """Tiles of any of several sets."""

    __slots__ = ("parts",)

    def __init__(self, parts: tuple[Node, ...], start: int, end: int) -> None:
        self.parts, self.start, self.end = parts, start, end


class Every(Span):
    """``and`` or ``or`` of two parts or more."""

    __slots__ = ("parts", "word")

    def __init__(self, word: str, parts: tuple[Node, ...], start: int, end: int) -> None:
        self.word, self.parts, self.start, self.end = word, parts, start, end


class Not(Span):
    """``not``."""

    __slots__ = ("part",)

    def __init__(self, part: Node, start: int, end: int) -> None:
        self.part, self.start, self.end = part, start, end


class Binary(Span):
    """Arithmetic on two numbers."""

    __slots__ = ("left", "operator", "right")

    def __init__(self, operator: str, left: Node, right: Node, start: int, end: int) -> None:
        self.operator, self.left, self.right, self.start, self.end = operator, left, right, start, end


class Negative(Span):
    """A number with the other sign."""

    __slots__ = ("part",)

    def __init__(self, part: Node, start: int, end: int) -> None:
        self.part, self.start, self.end = part, start, end


class Compare(Span):
    """A chain of comparisons such as ``1 < n <= 3``."""

    __slots__ = ("first", "rest")

    def __init__(self, first: Node, rest: tuple[tuple[str, Node], ...], start: int, end: int) -> None:
        self.first, self.rest, self.start, self.end = first, rest, start, end


class Membership(Span):
    """``in``: of a name in a list of words, or of a tile in a set of tiles, the words being none then."""

    __slots__ = ("left", "negated", "tiles", "words")

    def __init__(
        self, left: Node, words: tuple[Name, ...], tiles: Node | None, negated: bool, start: int, end: int
    ) -> None:
        self.left, self.words, self.tiles, self.negated, self.start, self.end = left, words, tiles, negated, start, end


class Conditional(Span):
    """``a if c else b``."""

    __slots__ = ("no", "test", "yes")

    def __init__(self, test: Node, yes: Node, no: Node, start: int, end: int) -> None:
        self.test, self.yes, self.no, self.start, self.end = test, yes, no, start, end


Node = Literal | TileText | Name | Call | Union | Every | Not | Binary | Negative | Compare | Membership | Conditional

_TOKEN: Final = re.compile(
    r"(?P<tiles>[0-9]+[mpszjfga](?:[0-9]+[mpszjfga])*(?![A-Za-z0-9_]))|(?P<number>[0-9]+(?![A-Za-z0-9_]))"
    r"|(?P<word>[A-Za-z_][A-Za-z0-9_]*)|(?P<sign>\*\*|//|==|!=|<=|>=|[-+*%<>()|,])|(?P<unknown>\w+|\S)"
)
RESERVED: Final = frozenset(("and", "or", "not", "in", "if", "else"))
"""The words that are signs."""


_MISSPELT: Final = {"=": "==", "&": "and", "!": "not", "/": "//"}
"""What stands at the start of a text that means nothing, and what was probably meant."""


class _Token(NamedTuple):
    kind: str
    """tiles, number, word, sign, reserved or end."""
    text: str
    start: int
    end: int


def _tokens(text: str) -> Iterator[_Token]:
    for found in _TOKEN.finditer(text):
        kind, said = found.lastgroup or "", found[0]
        if kind == "unknown":
            meant = next((right for sign, right in _MISSPELT.items() if said.startswith(sign)), "")
            hint = f"; write '{meant}'" if meant else ""
            raise ExpressionError(f"'{said}' means nothing here{hint}", found.start())
        yield _Token("reserved" if said in RESERVED else kind, said, found.start(), found.end())
    yield _Token("end", "", len(text), len(text))


@lru_cache(maxsize=1 << 12)
def parse(text: str) -> Node:
    """Return the tree of a condition or number.

    >>> parse("chows == 4").rest[0][0]
    '=='

    Raises:
        ExpressionError: the text is none, too long or nested too deep.
    """
    return _Parser(text).whole()


def parse_tiles(text: str) -> Node:
    """Return the tree of a set of tiles such as ``dragons | 19m``.

    Raises:
        ExpressionError: the text is none, or too long.
    """
    parser = _Parser(text)
    tree = parser.tiles()
    parser.done()
    return tree


def without_brackets(text: str) -> str:
    """Return a condition without the brackets that hold all of it.

    >>> without_brackets("(seat == E)"), without_brackets("(1 + 2) * (3 + 4)")
    ('seat == E', '(1 + 2) * (3 + 4)')
    """
    if text.startswith("(") and text.endswith(")"):
        try:
            parse(text[1:-1])
        except ExpressionError:
            return text
        return without_brackets(text[1:-1].strip())
    return text


class _Parser:
    def __init__(self, text: str) -> None:
        if len(text) > MAX_LENGTH:
            raise ExpressionError(f"longer than {MAX_LENGTH} characters", MAX_LENGTH)
        self.text = text
        self.tokens = list(_tokens(text))
        self.index = self.depth = 0

    # reading tokens
    @property
    def token(self) -> _Token:
        return self.tokens[self.index]

    def take(self, *texts: str) -> _Token | None:
        """Return the next token and pass it, if it is one of these signs or reserved words."""
        token = self.tokens[self.index]
        if token.text not in texts:
            return None
        self.index += 1
        return token

    def need(self, text: str) -> _Token:
        found = self.take(text)
        if found is None:
            raise self.unexpected(f"'{text}'")
        return found

    def unexpected(self, wanted: str) -> ExpressionError:
        token = self.token
        seen = f"'{token.text}'" if token.text else "the end"
        return ExpressionError(f"{wanted} is wanted before {seen}", token.start)

    def done(self) -> None:
        if self.token.kind != "end":
            raise ExpressionError(f"'{self.token.text}' is one thing too many", self.token.start)

    # the grammar
    def whole(self) -> Node:
        alone = len(self.tokens) == 2 and self.token.kind in ("number", "word")  # beside the end
        tree = self.atom() if alone else self.value()
        self.done()
        return tree

    def value(self) -> Node:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise ExpressionError(f"nested more than {MAX_DEPTH} deep", self.token.start)
        yes = self.test()
        if self.take("if"):
            test = self.test()
            self.need("else")
            no = self.value()
            yes = Conditional(test, yes, no, yes.start, no.end)
        self.depth -= 1
        return yes

    def test(self) -> Node:
        parts = [self.both()]
        while self.take("or"):
            parts.append(self.both())
        return parts[0] if len(parts) == 1 else Every("or", tuple(parts), parts[0].start, parts[-1].end)

    def both(self) -> Node:
        parts = [self.negation()]
        while self.take("and"):
            parts.append(self.negation())
        return parts[0] if len(parts) == 1 else Every("and", tuple(parts), parts[0].start, parts[-1].end)

    def negation(self) -> Node:
        token = self.take("not")
        if token is None:
            return self.compare()
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise ExpressionError(f"nested more than {MAX_DEPTH} deep", token.start)
        part = self.negation()
        self.depth -= 1
        return Not(part, token.start, part.end)

    def compare(self) -> Node:
        left = self.sum()
        rest: list[tuple[str, Node]] = []
        while operator := self.take("==", "!=", "<", "<=", ">", ">="):
            rest.append((operator.text, self.sum()))
        if rest:
            left = Compare(left, tuple(rest), left.start, rest[-1][1].end)
        negated = self.take("not")
        if self.take("in"):
            if rest:
                raise ExpressionError("'in' after a comparison; use brackets", left.start)
            return self.membership(left, bool(negated))
        if negated:
            raise self.unexpected("'in'")
        return left

    def membership(self, left: Node, negated: bool) -> Node:
        if not self.take("("):
            tiles = self.tiles()
            return Membership(left, (), tiles, negated, left.start, tiles.end)
        words = []
        while True:
            token = self.token
            if token.kind != "word":
                raise self.unexpected("a word")
            self.index += 1
            words.append(Name(token.text, token.start, token.end))
            if not self.take(","):
                break
        return Membership(left, tuple(words), None, negated, left.start, self.need(")").end)

    def sum(self) -> Node:
        left = self.product()
        while operator := self.take("+", "-"):
            right = self.product()
            left = Binary(operator.text, left, right, left.start, right.end)
        return left

    def product(self) -> Node:
        left = self.power()
        while operator := self.take("*", "//", "%"):
            right = self.power()
            left = Binary(operator.text, left, right, left.start, right.end)
        return left

    def power(self) -> Node:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise ExpressionError(f"nested more than {MAX_DEPTH} deep", self.token.start)
        if minus := self.take("-"):
            part = self.power()
            node: Node = Negative(part, minus.start, part.end)
        else:
            node = self.atom()
            if self.take("**"):
                right = self.power()
                node = Binary("**", node, right, node.start, right.end)
        self.depth -= 1
        return node

    def atom(self) -> Node:
        token = self.token
        if token.kind == "number":
            self.index += 1
            if len(token.text) > 1 and token.text[0] == "0":
                raise ExpressionError(f"'{token.text}' starts with 0; numbers are plain decimal", token.start)
            if len(token.text) > 7 or int(token.text) > MAX_NUMBER:
                raise ExpressionError(f"numbers go up to {MAX_NUMBER}", token.start)
            return Literal(int(token.text), token.start, token.end)
        if token.kind == "word":
            self.index += 1
            if not self.take("("):
                return Name(token.text, token.start, token.end)
            arguments = [self.argument()]
            while self.take(","):
                arguments.append(self.argument())
            return Call(token.text, tuple(arguments), token.start, self.need(")").end)
        if self.take("("):
            inside = self.value()
            inside.start, inside.end = token.start, self.need(")").end
            return inside
        if token.kind == "tiles" and len(token.text) > 2:
            raise ExpressionError(f"tiles '{token.text}' stand only after 'in' or as an argument", token.start)
        if token.kind == "tiles":
            self.index += 1
            return TileText(token.text, token.start, token.end)
        raise self.unexpected("a number or a word")

    def argument(self) -> Node:
        token = self.token
        if token.kind == "tiles" or (token.kind == "word" and self.tokens[self.index + 1].text == "|"):
            return self.tiles()
        return self.value()

    def tiles(self) -> Node:
        parts: list[Node] = []
        while True:
            token = self.token
            if token.kind not in ("tiles", "word"):
                raise self.unexpected("tiles such as 258m or a word such as 'dragons'")
            self.index += 1
            made = TileText if token.kind == "tiles" else Name
            parts.append(made(token.text, token.start, token.end))
            if not self.take("|"):
                break
        return parts[0] if len(parts) == 1 else Union(tuple(parts), parts[0].start, parts[-1].end)


def walk(node: Node) -> Iterator[Node]:
    """Yield a tree and every part of it."""
    pending = [node]
    while pending:
        node = pending.pop()
        yield node
        match node:
            case Every() | Union():
                children: tuple[Node, ...] = node.parts
            case Not() | Negative():
                children = (node.part,)
            case Binary():
                children = (node.left, node.right)
            case Compare():
                children = (node.first, *(part for _, part in node.rest))
            case Membership():
                children = (node.left, *node.words, *((node.tiles,) if node.tiles else ()))
            case Conditional():
                children = (node.test, node.yes, node.no)
            case Call():
                children = node.arguments
            case _:
                children = ()
        pending += reversed(children)
