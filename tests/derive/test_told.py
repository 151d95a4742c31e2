"""Lists that only tell others how long they are do not stand in the output."""

from support import generate, load

SOURCE = """
# ad: jacobian
def f(x: "Vector[n]"):
    y = [0.0] * len(x)
    for i in range(1, len(x)):
        y[i] = x[i] * x[i - 1] + y[i - 1]
    return y
"""


def test_a_list_of_tangents_is_made_by_its_length() -> None:
    text = generate(SOURCE)
    assert " y = " not in text and "len(y)" not in text


def test_the_numbers_are_those_of_differences() -> None:
    rows = load(generate(SOURCE))["f_jac"]([2.0, 3.0, 5.0]).tolist()
    assert rows == [[0.0, 0.0, 0.0], [3.0, 2.0, 0.0], [3.0, 7.0, 3.0]]
