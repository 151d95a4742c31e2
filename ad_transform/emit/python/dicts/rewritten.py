"""The functions of a bundle with dicts and sets in the place of lists of keys.

`k in keys` and `keys.index(k)` take as long as the list is: a function that remembers
its results would take the square of that.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from itertools import compress, zip_longest

from ad_transform.dataclass import dataclass, replace
from ad_transform.emit.python.dicts.decided import Decided, decided
from ad_transform.emit.python.dicts.keyed import (
    ABSENT,
    ADD,
    ENTER,
    LEAVE,
    LOOKUPS,
    PLACE,
    Keyed,
    written,
)
from ad_transform.ir.blocks.inner import each_block
from ad_transform.ir.nodes import (
    LEAF,
    Apply,
    Block,
    Branch,
    Bundle,
    Call,
    Function,
    Nest,
    Open,
    Operand,
    Parameter,
    Scan,
    Statement,
    Var,
    While,
)
from ad_transform.ir.types import RECORD, Type


def with_dicts(bundle: Bundle, public: Set[str]) -> Bundle:
    """The bundle with dicts and sets where lists of keys can be such. Linear, times the
    depth of blocks. `public` functions are called from outside.
    """
    found = decided(bundle, public)
    if found is None:
        return bundle
    instead = {
        var: replace(var, type=type_, hint=_hint(var, type_))
        for var, type_ in found.types.items()
    }
    params = {f.name: f.block.params for f in bundle.functions if f.outside is None}
    rewriter = _Rewriter(found, instead, params)
    *before, main = map(rewriter.function, bundle.functions)
    return Bundle(main, tuple(before))


def _hint(var: Var, type_: Keyed) -> str:
    """The name of a dict or a set: without the number of the part of the key."""
    return _whole(var.hint) if len(type_.keys) > 1 else var.hint


def _whole(name: str) -> str:
    return name.removesuffix("_1").removesuffix("_0")


@dataclass(slots=True)
class _Rewriter:
    """Rewrites functions; `params` are their old parameters, by name."""

    found: Decided
    instead: dict[Var, Var]
    params: Mapping[str, Sequence[Var]]

    def function(self, function: Function) -> Function:
        """A function without other parts of keys among its parameters and results."""
        if function.outside is not None:
            return function
        gone = self.found.gone
        made = each_block(function, self._block)
        parameters = tuple(
            self._parameter(p, function)
            for p in function.parameters
            if gone.isdisjoint(p.vars)
        )
        kept = [r not in gone for r in function.results]
        nest = function.nest if all(kept) else _without(function.nest, kept)
        primal = sum(kept[: function.primal])
        return replace(made, parameters=parameters, nest=nest, primal=primal)

    def _parameter(self, parameter: Parameter, function: Function) -> Parameter:
        own = tuple(self.instead.get(var, var) for var in parameter.vars)
        if own == parameter.vars:
            return parameter
        name = parameter.name
        type_ = own[0].type
        if isinstance(type_, Keyed) and len(type_.keys) > 1:
            others = [p.name for p in function.parameters]
            name = name if _whole(name) in others else _whole(name)
        return replace(parameter, vars=own, name=name)

    def _operand(self, operand: Operand) -> Operand:
        if not isinstance(operand, Var):
            return operand
        first = self.found.first.get(operand, operand)
        return self.instead.get(first, operand)

    def _vars(self, values: Sequence[Var]) -> tuple[Var, ...]:
        return tuple(self.instead.get(v, v) for v in values if v not in self.found.gone)

    def _operands(
        self, values: Sequence[Operand], params: Sequence[Operand] | None = None
    ) -> tuple[Operand, ...]:
        """The values without other parts of keys, found by their places in `params`."""
        kept = [p not in self.found.gone for p in params or values]
        return tuple(map(self._operand, compress(values, kept)))

    def _block(self, block: Block) -> Block:
        """A block; the last of the statements that change the parts of a key changes
        the whole.
        """
        beside, gone = self.found.beside, self.found.gone
        places = {statement: k for k, statement in enumerate(block.body)}
        body: list[Statement | None] = []
        for statement in block.body:
            body.append(self._statement(statement))
            if isinstance(statement, Apply) and statement.out in gone:
                body[-1] = None
        for statement, place in places.items():
            if not isinstance(statement, Apply) or statement not in beside:
                continue
            last = max(places.get(other, place) for other in beside[statement])
            if last > place and statement.out in self.instead:
                body[place], body[last] = None, body[place]
        kept = self._opened([s for s in body if s is not None])
        results = self._operands(block.results)
        params = self._vars(block.params)
        if (params, kept, results) == (block.params, block.body, block.results):
            return block
        return Block(params, kept, results)

    def _opened(self, body: Sequence[Statement]) -> tuple[Statement, ...]:
        """The statements, with one that takes a key of several parts out of a dict."""
        parts: dict[tuple[Var, Operand], list[list[Var]]] = {}
        for statement in body:
            keys = self._keys(statement)
            if keys is not None:
                array, place = statement.inputs
                assert isinstance(keys.type, Keyed)
                row = parts.setdefault((keys, place), [[] for _ in keys.type.keys])
                part = self.found.part.get(array, 0) if isinstance(array, Var) else 0
                row[part].extend(statement.outs)
        kept: list[Statement] = []
        for statement in body:
            keys = self._keys(statement)
            if keys is None or not isinstance(statement, Apply):
                kept.append(statement)
                continue
            place = statement.args[1]
            for pair in zip_longest(*parts.pop((keys, place), ())):
                key = Var(RECORD, "key")
                kept.append(Apply(key, statement.op, (keys, place)))
                kept.append(Open(_named(pair, keys), key))
        return tuple(kept)

    def _keys(self, statement: Statement) -> Var | None:
        """The dict from which a statement takes a part of a key."""
        if not isinstance(statement, Apply) or statement.op.name != "get":
            return None
        array = statement.args[0]
        if not isinstance(array, Var):
            return None
        own = self._operand(array)
        if not isinstance(own, Var) or not isinstance(own.type, Keyed):
            return None
        return own if len(own.type.keys) > 1 else None

    def _statement(self, statement: Statement) -> Statement:
        match statement:
            case Apply():
                return self._operation(statement)
            case Branch():
                args = self._operands(statement.args, statement.then.params)
                return replace(statement, outs=self._vars(statement.outs), args=args)
            case Scan() | While():
                reads = self._operands(statement.reads, statement.read_params)
                carries = self._operands(statement.carries)
                outs = self._vars(statement.outs)
                return replace(statement, outs=outs, carries=carries, reads=reads)
            case Call() if statement.callee in self.params:
                return self._call(statement, self.params[statement.callee])
        return statement

    def _call(self, call: Call, params: Sequence[Var]) -> Call:
        kept = [param not in self.found.gone for param in params]
        numbers = [sum(kept[:k]) for k in range(len(kept))]
        changes = tuple(numbers[k] for k in call.changes if kept[k])
        args = self._operands(call.args, params)
        return replace(call, outs=self._vars(call.outs), args=args, changes=changes)

    def _operation(self, statement: Apply) -> Apply:
        """An operation on a list that is a dict or a set now."""
        args, name = statement.args, statement.op.name
        if name == "pack" and statement.out in self.instead:
            out = self.instead[statement.out]
            assert isinstance(out.type, Keyed)
            return Apply(out, written(len(args), out.type.is_set), args)
        array = args[0] if args else None
        if not isinstance(array, Var):
            return replace(
                statement, out=self.instead.get(statement.out, statement.out)
            )
        if name == "get" and array in self.found.part:
            return statement  # it is taken together with the first part
        own = self._operand(array)
        if own is array or not isinstance(own, Var):
            return statement
        type_ = own.type
        assert isinstance(type_, Keyed)
        parts = len(type_.keys)
        out = self.instead.get(statement.out, statement.out)
        if name in LOOKUPS:
            count, is_placed = LOOKUPS[name]
            op = (PLACE if is_placed else ABSENT)[parts]
            return Apply(out, op, (own, *args[count:]))
        if name == "append":
            rest = [other.args[1] for other in self.found.beside.get(statement, ())]
            return Apply(
                out, (ADD if type_.is_set else ENTER)[parts], (own, args[1], *rest)
            )
        if name == "pop":
            return Apply(out, LEAVE, (own,))
        return Apply(out, statement.op, (own, *args[1:]))


def _named(parts: Sequence[Var | None], keys: Var) -> tuple[Var, ...]:
    """The parts of a key, some of which may not be read."""
    assert isinstance(keys.type, Keyed)
    pairs = zip(parts, keys.type.keys, strict=True)
    return tuple(part or Var(Type(kind), "key") for part, kind in pairs)


def _without(nest: Nest, kept: Sequence[bool]) -> Nest:
    """The shape of results without some of them."""
    items = tuple(compress(nest.items, kept))
    return LEAF if len(items) == 1 else replace(nest, items=items)
