"""Module constants of the output, made of the folded constants of the source.

`2.0 * R` in derivative code is one constant that is computed once, where the output is
imported; its private name tells its formula: `_2R = 2.0 * R`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain

from ad_transform.ir.decimals import ratio
from ad_transform.ir.formulas import Atom, Formula, Name, names, terms_of
from ad_transform.ir.nodes import Function, Literal, walk

WIDEST = 24
"""Characters of a name that tells its formula; others are numbered."""


def named_formulas(
    functions: Sequence[Function],
    taken: Collection[str],
    others: Iterable[Literal] = (),
) -> Mapping[str, str]:
    """Names for the formulas of the literals in functions and of some others, by the
    text of a formula.

    In order of first appearance; none is in `taken`. Linear.
    """
    formulas: dict[str, Formula] = {}
    for literal in chain(*map(_literals, functions), others):
        if literal.formula is not None:
            formulas.setdefault(literal.name, literal.formula)
    used = set(taken)
    found: dict[str, str] = {}
    for text, formula in formulas.items():
        name = next(n for n in _wishes(formula) if n not in used)
        used.add(name)
        found[text] = name
    return found


def _wishes(formula: Formula) -> Iterator[str]:
    """Possible names of a formula, best first."""
    telling = _telling(formula)
    if telling is not None and len(telling) <= WIDEST:
        yield telling
    k = 0
    while True:
        k += 1
        yield f"_C{k}"


def _telling(formula: Formula) -> str | None:
    """`_2R` for 2.0 * R, `_J2_RE2_OVER_MU` for J2 * RE**2 / MU, `_1_MINUS_E` for
    1.0 - E; None where nothing short can be said.
    """
    small = all(n.name.rpartition(".")[2].islower() for n in names(formula))
    words = (
        _WORDS if not small else {sign: word.lower() for sign, word in _WORDS.items()}
    )
    terms = terms_of(formula)
    said: list[str] = []
    for k, term in enumerate(terms):
        text = _product(term, words)
        if text is None:
            return None
        if k or term.constant < 0.0:
            said.append(words["-" if term.constant < 0.0 else "+"])
        said.append(text)
    return "_" + "_".join(said)


_WORDS = {"-": "MINUS", "+": "PLUS", "/": "OVER"}


def _product(formula: Formula, words: Mapping[str, str]) -> str | None:
    """A product without its sign: `2R`, `1_5_J2_RE2`."""
    if not all(isinstance(atom, Name) for atom, _ in formula.powers):
        return None
    top, bottom = map(abs, ratio(formula.constant))
    above = [_power(a, e) for a, e in formula.powers if e > 0]
    below = [_power(a, -e) for a, e in formula.powers if e < 0]
    below += [f"{bottom:g}"] if bottom != 1.0 else []
    number = f"{top:g}"
    if float(number) != top or "e" in number:
        return None
    if top != 1.0 or not above:
        number = number.replace(".", "_")
        if above and len(number) == 1:
            above[0] = number + above[0]
        else:
            above.insert(0, number)
    return "_".join([*above, *([words["/"]] if below else []), *below])


def _power(atom: Atom, exponent: int) -> str:
    assert isinstance(atom, Name)
    name = atom.literal.name.rpartition(".")[2]
    return name if exponent == 1 else f"{name}{exponent}"


def _literals(function: Function) -> list[Literal]:
    """The literals of a function in the order of its text, those of results last."""
    every = walk(function.body)
    read = [statement.inputs for statement in every]
    given = [block.results for statement in every for block in statement.blocks]
    ends = (*read, function.results, *given)
    return [o for operands in ends for o in operands if type(o) is Literal]
