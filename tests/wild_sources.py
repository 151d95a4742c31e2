"""Random sources that use much of the language at once; all of them end.

Every source has helpers `h0` ... and a marked function `f` of three floats, a whole
number, a text and a vector. Values stay small, and operations are smooth but where a
condition is met to the bit.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from wild_forms import (
    HEAD,
    ITEMS,
    LISTS,
    NEW,
    PARAMETERS,
    RANGES,
    SCALARS,
    TESTS,
    WHOLES,
)


@dataclass
class Scope:
    """The names that can be read at a place, by what they are."""

    floats: list[str] = field(default_factory=lambda: ["a", "b", "c", "d"])
    wholes: list[str] = field(default_factory=lambda: ["n", "i", "j"])
    lists: list[str] = field(default_factory=list)
    loops: int = 0
    depth: int = 1

    def inner(self, loops: int = 0) -> Scope:
        """Names of a block in it."""
        return Scope(
            [*self.floats],
            [*self.wholes],
            [*self.lists],
            self.loops + loops,
            self.depth + 1,
        )


class Writer:
    """Writes one function; `helpers` may be called."""

    def __init__(self, seed: random.Random, size: int) -> None:
        self.random = seed
        self.size = size
        self.lines: list[str] = []
        self.made = 0
        self.results = 1 if seed.random() < 0.7 else 2

    # --- expressions ------------------------------------------------------------------

    def weighted(self, forms: tuple[tuple[str, int], ...]) -> str:
        texts, weights = zip(*forms, strict=True)
        return str(self.random.choices(texts, weights)[0])

    def fill(self, form: str, scope: Scope, depth: int = 0) -> str:
        """A form with names, numbers and smaller expressions."""
        made = ""
        while "{" in form:
            before, _, rest = form.partition("{")
            key, _, form = rest.partition("}")
            made += before + self.slot(key, scope, depth)
        return made + form

    def slot(self, key: str, scope: Scope, depth: int) -> str:
        """What goes into a slot of a form."""
        larger = _LARGER.get(key)
        if larger and depth < 2 and self.random.random() < 0.2:
            return f"({larger(self, scope, depth + 1)})"
        return _SLOTS[key](self, scope, depth)

    def term(self, scope: Scope, depth: int = 0) -> str:
        """A float."""
        if depth > 2:
            return self.random.choice(scope.floats)
        some = LISTS if self.random.random() < 0.2 else SCALARS
        made = self.fill(self.weighted(some), scope, depth)
        return f"math.tanh({made})" if depth == 0 else made

    def test(self, scope: Scope, depth: int = 0) -> str:
        """A condition."""
        if depth > 2:
            return self.fill("{f} > {k}", scope, 9)
        return self.fill(self.weighted(TESTS), scope, depth)

    def whole(self, scope: Scope, depth: int = 0) -> str:
        """A small whole number."""
        if depth > 2:
            return self.random.choice(scope.wholes)
        return self.fill(self.weighted(WHOLES), scope, depth)

    # --- blocks -----------------------------------------------------------------------

    def function(self) -> list[str]:
        """The lines of the marked function."""
        scope = Scope()
        self.lines = [f"def f({PARAMETERS}):"]
        self.say(scope, "c, d, i, j = 0.75 * c, b - 0.5 * a, n, 1")
        self.suite(scope)
        self.suite(scope)
        self.say(scope, f"return {self.result(scope)}")
        return self.lines

    def result(self, scope: Scope) -> str:
        """What the function returns."""
        parts = [self.term(scope) + " + d * a" for _ in range(self.results)]
        return ", ".join(parts)

    def say(self, scope: Scope, form: str) -> None:
        """One more line."""
        self.lines.append("    " * scope.depth + self.fill(form, scope))

    def suite(self, scope: Scope, last: float = 0.0) -> None:
        """A block of statements."""
        for _ in range(self.random.randint(1, 3)):
            self.size -= 1
            kinds, weights = zip(*self._kinds(scope), strict=True)
            self.random.choices(kinds, weights)[0](scope)
        if self.random.random() < last:
            self.exit(scope)

    @contextmanager
    def block(self, scope: Scope, head: str, loops: int = 0) -> Iterator[Scope]:
        """The scope of a block under a head."""
        self.say(scope, f"{head}:")
        yield scope.inner(loops)

    def _kinds(self, scope: Scope) -> Iterator[tuple[Callable[[Scope], None], int]]:
        yield from ((self.assign, 5), (self.number, 2), (self.new, 2), (self.note, 1))
        yield from ((self.tuples, 2), (self.store, 3))
        if scope.lists:
            yield self.grow, 2
        if len(scope.lists) > 1:
            yield self.alias, 1
        if self.size > 0 and scope.depth < 5:
            yield from ((self.branch, 4), (self.leave, 2), (self.cases, 1))
            if scope.loops < 2:
                yield from ((self.count, 3), (self.each, 3))
                yield from ((self.repeat, 1), (self.forever, 1))
        yield self.table, 1
        if scope.depth == 1:
            yield self.inner_function, 1

    # --- statements -------------------------------------------------------------------

    def assign(self, scope: Scope) -> None:
        """A float."""
        sign = self.random.choice(("=", "=", "=", "+=", "-=", "*="))
        name = self.random.choice(scope.floats)
        self.say(scope, f"{name} {sign} {self.term(scope)}")

    def number(self, scope: Scope) -> None:
        """A whole number, small."""
        name = self.random.choice(("i", "j"))
        self.say(scope, f"{name} = {self.whole(scope)}")

    def new(self, scope: Scope) -> None:
        """A new name, for a float or a list."""
        self.made += 1
        if self.random.random() < 0.5:
            name = f"e{self.made % 4}"
            self.say(scope, f"{name} = {self.term(scope)}")
            scope.floats.append(name)
        else:
            name = f"u{self.made}"
            self.say(scope, f"{name} = {self.random.choice(NEW)}")
            scope.lists.append(name)

    def note(self, scope: Scope) -> None:
        """What computes nothing, or little."""
        forms = (
            "assert len(x) >= 0",
            "pass",
            "# a remark\n{m}pass",
            "c: float = {e}",
            "if {f} > 99.0:\n{m}    raise ValueError('far')",
        )
        form = self.random.choice(forms)
        self.say(scope, form.replace("{m}", "    " * scope.depth))

    def tuples(self, scope: Scope) -> None:
        """Several names at once."""
        forms = (
            "{0}, {1} = {1}, {0}",
            "{0}, {1}, {2} = {1}, {2}, {e}",
            "({0}, {1}), {2} = ({f}, {f}), {e}",
            "{0}, *rest = ({e}, {f}, {f})\n{m}{1} = rest[-1] * {0}",
            "{0} = {1} = {e}",
            "pair = ({f}, {e})\n{m}{0}, {1} = pair",
            "{0}, {1} = both({f}, {f})",
            "i, j = j, {w} % 3",
        )
        form = self.random.choice(forms)
        for k, name in enumerate(self.random.sample(["a", "b", "c", "d"], 3)):
            form = form.replace(f"{{{k}}}", name)
        self.say(scope, form.replace("{m}", "    " * scope.depth))

    def store(self, scope: Scope) -> None:
        """An element written."""
        name = self.random.choice(["x", *scope.lists])
        if name == "x":
            place = self.random.choice(("{w} % len(x)", "0", "-1"))
        else:
            place = self.random.choice((f"{{w}} % len({name})", "0", "-1"))
        sign = self.random.choice(("=", "=", "+=", "*=", "-="))
        self.say(scope, f"{name}[{place}] {sign} {self.term(scope)}")

    def grow(self, scope: Scope) -> None:
        """A list that grows."""
        name = self.random.choice(scope.lists)
        self.say(scope, f"{name}.append({self.term(scope)})")

    def alias(self, scope: Scope) -> None:
        """Two lists swapped, or two names for one."""
        one, other = self.random.sample(scope.lists, 2)
        forms = (
            f"{one}, {other} = {other}, {one}",
            f"{one} = {other}",
            f"{one}[:] = {other}[:1] + {one}[1:]",
            f"{one} = {other} + {one}",
            f"{one}[0], {other}[-1] = {other}[-1], {one}[0]",
        )
        self.say(scope, self.random.choice(forms))

    def table(self, scope: Scope) -> None:
        """A dict that is written, by keys that are known or not."""
        changes = (
            'p["one"] += {e}',
            "p[kind] *= {f}",
            "p[kind] = {e}",
            "p.update(two={f})",
            'p["four"] = {f}',
            'for q in p:\n{m}    p[q] -= 0.5 * p["one"]',
            "p = p | dict(one={f})",
        )
        change = self.random.choice(changes)
        name = self.random.choice(scope.floats)
        body = f'p = {{**RATES, "one": {name}}}\n{{m}}'
        sum_up = f"\n{{m}}{name} = math.tanh(sum(p.values()) - p[kind])\n{{m}}del p"
        made = self.fill(change.replace("{m}", "<m>"), scope).replace("<m>", "{m}")
        text = (body + made + sum_up).replace("{m}", "    " * scope.depth)
        self.lines += ("    " * scope.depth + text).splitlines()

    def branch(self, scope: Scope) -> None:
        """An `if` with arms."""
        with self.block(scope, f"if {self.test(scope)}") as inner:
            self.suite(inner, 0.3)
        for _ in range(self.random.choice((0, 0, 1))):
            with self.block(scope, f"elif {self.test(scope)}") as inner:
                self.suite(inner, 0.3)
        if self.random.random() < 0.5:
            with self.block(scope, "else") as inner:
                self.suite(inner, 0.3)

    def cases(self, scope: Scope) -> None:
        """A `match`."""
        subject, heads = self.random.choice(
            (
                ("{w} % 4", ("0", "1 | 2", "_")),
                ("{w} % 4", ("1", "g if g > 1", "_")),
                ("kind", ('"one"', '"two" | "three"')),
                ("kind", ('"three"', "_")),
            )
        )
        with self.block(scope, f"match {subject}") as outer:
            for head in heads:
                with self.block(outer, f"case {head}") as inner:
                    self.suite(inner, 0.2)

    def leave(self, scope: Scope) -> None:
        """A guard."""
        with self.block(scope, f"if ({self.test(scope)}) and {{f}} > 0.2") as inner:
            self.exit(inner)

    def exit(self, scope: Scope) -> None:
        """A way out."""
        ways = ["break", "continue"] if scope.loops else []
        way = self.random.choice(["return", *ways])
        self.say(scope, f"return {self.result(scope)}" if way == "return" else way)

    def count(self, scope: Scope) -> None:
        """A `for` over a range."""
        name = self.random.choice(("i", "j", "k", "_"))
        over = f"range({self.weighted(RANGES)})"
        if self.random.random() < 0.15:
            over = f"reversed({over})"
        with self.block(scope, f"for {name} in {over}", 1) as inner:
            inner.wholes += ["k"] if name == "k" else []
            self.suite(inner, 0.3)
        self._else(scope)

    def each(self, scope: Scope) -> None:
        """A `for` over items."""
        target, over = self.random.choice(ITEMS)
        target = self.fill(target, scope)
        with self.block(scope, f"for {target} in {over}", 1) as inner:
            inner.floats += [v for v in ("v", "r") if v in target]
            inner.wholes += ["k"] if "k" in target else []
            self.suite(inner, 0.3)
        self._else(scope)

    def repeat(self, scope: Scope) -> None:
        """A `while`, which ends after a few trips."""
        self.made += 1
        name = f"w{self.made}"
        self.say(scope, f"{name} = {{d}}")
        with self.block(
            scope, f"while {name} < 4 and ({self.test(scope)})", 1
        ) as inner:
            self.say(inner, f"{name} += 1")
            inner.wholes.append(name)
            self.suite(inner, 0.3)
        self._else(scope)

    def forever(self, scope: Scope) -> None:
        """A `while True` that is left in several ways."""
        self.made += 1
        name = f"w{self.made}"
        self.say(scope, f"{name} = {{d}}")
        with self.block(scope, "while True", 1) as inner:
            self.say(inner, f"{name} += 1")
            with self.block(inner, f"if {name} > 4") as guard:
                self.say(guard, "break")
            self.suite(inner)
            with self.block(inner, f"if {self.test(inner)}") as guard:
                self.suite(guard)
                self.say(guard, "break")

    def inner_function(self, scope: Scope) -> None:
        """A function of its own, which sees what is around it."""
        self.made += 1
        name = f"g{self.made}"
        with self.block(scope, f"def {name}(s, t=0.5)") as inner:
            inner.floats[:] = ["s", "t", "c"]
            self.say(inner, f"return {self.term(inner)} * s")
        self.say(scope, f"c = {name}({{f}}, {{f}}) - {name}({{f}})")

    def _else(self, scope: Scope) -> None:
        if self.random.random() < 0.2:
            with self.block(scope, "else") as inner:
                self.suite(inner)


Slot = Callable[[Writer, Scope, int], str]

_LARGER: dict[str, Slot] = {"f": Writer.term, "w": Writer.whole}
_SLOTS: dict[str, Slot] = {
    "f": lambda writer, scope, depth: writer.random.choice(scope.floats),
    "e": lambda writer, scope, depth: writer.term(scope, depth + 1),
    "w": lambda writer, scope, depth: writer.random.choice(scope.wholes),
    "t": lambda writer, scope, depth: writer.test(scope, depth + 1),
    "u": lambda writer, scope, depth: writer.random.choice(["x", *scope.lists]),
    "p": lambda writer, scope, depth: writer.random.choice(["[a, b]", *scope.lists]),
    "v": lambda writer, scope, depth: writer.random.choice("acdv"),
    "i": lambda writer, scope, depth: writer.random.choice("ikj"),
    "d": lambda writer, scope, depth: str(writer.random.randint(0, 3)),
    "k": lambda writer, scope, depth: f"{writer.random.uniform(-0.9, 0.9):.2f}",
}


def source(number: int, size: int = 10) -> str:
    """The source with a number; KIND stands where the mark belongs."""
    writer = Writer(random.Random(number), size)
    lines = writer.function()
    return HEAD + "# ad: KIND\n" + "\n".join(lines) + "\n"
