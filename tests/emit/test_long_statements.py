"""Statements that are too long for a line are laid out as black does."""

import ast

import black
import pytest
from amounts import ANY_ORDER, NUMBERS
from support import generate

from ad_transform.emit.python.layout import statement
from ad_transform.emit.python.text import Writer
from ad_transform.emit.schedule.lines import Do

CHOICE = "case_returned if c_case > 0.0 else -case_returned_2 if c_case < 0.0 else 0.0"


@pytest.mark.parametrize(
    "text", [f"-({CHOICE})", f"-tanh({CHOICE})", f"tanh({CHOICE})"]
)
def test_brackets_are_broken_and_mean_the_same(text):
    lines = statement("c_bar = ", text, "", 4, 88)
    assert len(lines) == 3
    source = "if True:\n" + "\n".join(lines) + "\n"
    assert black.format_str(source, mode=black.Mode()) == source
    (branch,) = ast.parse(source).body
    expected = ast.dump(ast.parse(text, mode="eval").body)
    assert ast.dump(branch.body[0].value) == expected  # and no tuple of one


LONG = "first_part_of_it / second_part_of_it * third_part - fourth_part_of_it"
WIDE = "zeros_beside_value * (1.0 / plus_value * times_value_3 - times_value_2)"


@pytest.mark.parametrize(
    "text",
    [
        f"minus_value @ -({LONG})",
        f"-({WIDE.replace('plus_value', 'plus_value_of_the_products')})",
        f"np.sum({WIDE.replace('plus_value', 'plus_value_of_the_products')}, axis=0)",
        f"not ({LONG} > 0.05)",
        f"not ({LONG} > 0.05 and {LONG} < 2.0)",
        f"isclose(not ({LONG} > 0.05), -({LONG} * last_part))",
        f"isclose(elements[{LONG} + last_part_of_it], first_part)",
        f"first_matrix @ {LONG.replace(' - ', ' @ ')} @ last_matrix",
    ],
)
def test_no_broken_operand_becomes_a_tuple(text):
    source = "\n".join(["if True:", *statement("c_bar = ", text, "", 4, 80), ""])
    assert black.format_str(source, mode=black.Mode(line_length=80)) == source
    (branch,) = ast.parse(source).body
    expected = ast.dump(ast.parse(text, mode="eval").body)
    assert ast.dump(branch.body[0].value) == expected


NESTED = f"({LONG} + ({WIDE} - third_part * (1.0 + {LONG})))"


@pytest.mark.parametrize(
    "text",
    [
        f"first_part - {NESTED} - last_part_of_it",
        f"first_part * {NESTED} + last_part_of_it * {NESTED} - first_part",
        f"first_part * exp({NESTED}) + last_part_of_it * -{NESTED} - first_part",
        f"first_part_of_all if {NESTED} > 0.0 else {NESTED}",
        f"{NESTED} > first_part and not ({LONG} > {NESTED}) and last_part",
        f"first_places << second_places | {LONG.replace('-', '^').replace('/', '&')}",
        f"first_part_of_it >> {LONG} & second_part_of_it >> {LONG}",
    ],
)
def test_operands_in_brackets_are_broken(text):
    lines = statement("c_bar = ", text, "", 4, 72)
    assert max(map(len, lines)) <= 72
    source = "\n".join(["if True:", *lines, ""])
    assert black.format_str(source, mode=black.Mode(line_length=72)) == source
    (branch,) = ast.parse(source).body
    expected = ast.dump(ast.parse(text, mode="eval").body)
    assert ast.dump(branch.body[0].value) == expected


def test_many_values_of_a_trip_stand_one_a_line():
    names = [f"value_of_the_trip_{k}" for k in range(8)]
    sums = "".join(f"        {name} = sin({name} * v)\n" for name in names)
    body = "".join(f"    {name} = {k}.5\n" for k, name in enumerate(names))
    source = (
        'from math import sin\n\n\n# ad: error\ndef f(x: "Vector[n]"):\n'
        f"{body}    for v in x:\n{sums}    return {' * '.join(names)}\n"
    )
    output = generate(source, **NUMBERS)
    assert max(map(len, output.splitlines()[4:])) <= 88
    assert black.format_str(output, mode=black.Mode()) == output


@pytest.mark.parametrize("index", ["-1", "i", "n - i", "the_place_of_it"])
@pytest.mark.parametrize("first", ["part", "parts[i] * other_parts"])
def test_nothing_is_broken_inside_an_index(first, index):
    text = f"{first} + second_part_of_it * all_of_the_values * elements[{index}]"
    source = "\n".join(statement("c_bar = ", text, "", 0, 72)) + "\n"
    assert black.format_str(source, mode=black.Mode(line_length=72)) == source


def test_writes_to_elements_are_broken_behind_their_sign():
    writer = Writer({}, str, 40)
    writer.text = lambda text: text
    writer.write([Do("totals[0] = first_part + second_part * x_2")], 0)
    assert writer.out[0] == "totals[0] = ("
    text = "\n".join([*writer.out, ""])
    assert black.format_str(text, mode=black.Mode(line_length=40)) == text


@pytest.mark.parametrize(
    "item",
    ["part if x > 0.0 else other_part", "part_of_x if x > 0.0 else other_part * x"],
)
def test_an_item_that_is_appended_is_broken_at_its_operators(item):
    writer = Writer({}, str, 40)
    writer.grouped_texts("totals.append(", [item], ")", 0)
    text = "\n".join([*writer.out, ""])
    assert black.format_str(text, mode=black.Mode(line_length=40)) == text


def test_what_is_said_of_the_shape_of_a_matrix_fits_a_line():
    text = generate(
        "# ad: jvp(A)\ndef f(A: 'Matrix[m, n]'):\n    return A @ A.T\n", **ANY_ORDER
    )
    assert '"\n            f"not ({np.shape(A)[0]}, {np.shape(A)[1]})"\n' in text
    assert max(map(len, text.splitlines()[4:])) <= 88
    assert black.format_str(text, mode=black.Mode()) == text
