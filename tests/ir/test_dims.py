"""Dims are polynomials over names, and equal ones are equal texts."""

import pytest

from ad_transform.elementals import TABLE
from ad_transform.ir.dims import (
    ANY,
    dim,
    elements,
    names,
    plus,
    product,
    renamed,
    size,
    terms,
    times,
)
from ad_transform.ir.parse import parse_function
from ad_transform.ir.text import format_function


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("7", 7),
        ("-3", -3),
        ("n", "n"),
        (" n + 1 - m ", "-m+n+1"),
        ("2*n-1", "2*n-1"),
        ("n+n", "2*n"),
        ("n-n", 0),
        ("n-n+4", 4),
        ("3*2", 6),
        ("trips.2-1", "trips.2-1"),
        ("n + 2 * n*m - m*n", "m*n+n"),
        ("n*m-m*n", 0),
        ("?", ANY),
    ],
)
def test_equal_forms_are_equal_texts(text, canonical):
    assert dim(text) == canonical
    assert dim(str(canonical)) == canonical


@pytest.mark.parametrize("text", ["n m", "n*", "n*2", "2.5", "n-", "+"])
def test_what_is_no_polynomial(text):
    with pytest.raises(ValueError, match="no polynomial"):
        dim(text)


def test_arithmetic():
    assert plus("n", -1) == "n-1"
    assert plus("n-1", "1-n") == 0
    assert plus(2, 3) == 5
    assert plus(ANY, 1) == ANY
    assert times("n-1", 2) == "2*n-2"
    assert times(3, 2) == 6
    assert names("2*n-m") == ("m", "n")
    assert names(3) == names(ANY) == ()
    assert renamed("2*n-1", {"n": "m+1"}) == "2*m+1"
    assert renamed("2*n-1", {"n": 3}) == 5
    assert renamed("n", {"m": 3}) == "n"


def test_products():
    assert product(("n-1", "m", 2)) == "-2*m+2*m*n"
    assert product(("n", "n", 0)) == 0 and product(()) == 1
    assert product(("n", ANY)) == ANY
    assert names("m*n-2*n*n") == ("m", "n")
    assert renamed("m*n+n", {"m": "n-1"}) == "n*n"
    assert terms("2*m*n-n-1", {"m": "k", "n": "l"}) == "2 * k * l - l - 1"
    assert size("2*m*n-1", {"m": 3, "n": 4}) == 23


def test_dims_are_read_back():
    text = (
        "function f primal 0 nest .\n"
        "parameter x (%0: float[2*n-1, 3, m+n, ?])\n"
        "  give %0\n"
    )
    function = parse_function(text, TABLE)
    assert function.block.params[0].type.dims == ("2*n-1", 3, "m+n", ANY)
    assert format_function(function) == text
    with pytest.raises(ValueError, match="a dim"):
        parse_function(text.replace("2*n-1", "n n"), TABLE)


@pytest.mark.parametrize(
    ("dims", "number"),
    [((), 1), ((3, 4), 12), (("n",), 7), (("2*n-m", 2), 8), (("k", ANY), 100)],
)
def test_elements_are_numbers_at_given_sizes_or_nominal_ones(dims, number):
    assert elements(dims, {"n": 7, "m": 10}) == number


def test_no_size_is_negative():
    assert size("n-20", {}) == 0
