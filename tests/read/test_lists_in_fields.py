"""Lists of objects that fields hold, and that grow: `self.nodes.append(node)`."""

from __future__ import annotations

import pytest
from support import flat, load, load_generated, run

HEAD = """
class Node:
    def __init__(self, value, kids=()):
        self.value = value
        self.flow = 0.0
        self.kids = list(kids)

    def total(self):
        return self.value + self.flow + 0.5 * sum(k.total() ** 2 for k in self.kids)

class Net:
    def __init__(self):
        self.nodes = []
        self.links = []

    def add(self, value):
        node = Node(value)
        self.nodes.append(node)
        return node

    def link(self, a, b, k):
        self.links.append((a, b, k))

    def solve(self):
        for a, b, k in self.links:
            q = k * (a.value - b.value)
            a.flow -= q
            b.flow += q
        return sum(node.flow ** 2 for node in self.nodes)

"""
BODIES = {
    "a network": """
net = Net()
a, b, c = net.add(x), net.add(x * y), net.add(0.3)
net.link(a, b, y)
net.link(b, c, 2.0 * x)
a.value += b.flow + y
return net.solve()
""",
    "a tree": """
root, arm = Node(x), Node(y)
root.kids.append(arm)
arm.kids.append(Node(x * y))
arm.kids.extend([Node(2.0), Node(y)])
arm.kids[0].value *= 3.0
return root.total()
""",
    "behind a loop": """
root = Node(x)
root.kids.append(Node(y))
for i in range(n):
    for kid in root.kids:
        kid.value += 0.1 * x * i
root.kids.append(Node(x * y))
root.kids[0].value *= 2.0
return root.total()
""",
    "in a loop": """
net = Net()
for i in range(n):
    net.nodes.append((x * i, y))
return sum(a * b for a, b in net.nodes) * x
""",
}
REFUSED = {
    "another name": "kids = a.kids\na.kids.append(Node(y))\nreturn len(kids) * x",
    "another field": "b.kids = a.kids\na.kids.append(b)\nreturn len(b.kids) * x",
    "perhaps another": """
if x > 0.5:
    b.kids = a.kids
a.kids.append(Node(y))
return x * len(b.kids)
""",
    "itself": "a.kids.append(a)\nreturn a.value",
}


def source(body: str) -> str:
    lines = body.strip().replace("\n", "\n    ")
    return f"{HEAD}# ad: gradient\ndef f(x, y, n: int):\n    {lines}\n"


@pytest.mark.parametrize("name", BODIES)
def test_slopes_are_those_of_differences(name: str) -> None:
    text = source(BODIES[name])
    f, grad = load(text)["f"], load_generated(text)["f_grad"]
    ends = [(1e-6, 0.0), (0.0, 1e-6)]
    wanted = [(f(0.5 + h, 0.7 + k, 3) - f(0.5 - h, 0.7 - k, 3)) / 2e-6 for h, k in ends]
    assert flat(grad(0.5, 0.7, 3)) == pytest.approx(wanted, rel=1e-8, abs=1e-9)


@pytest.mark.parametrize("name", REFUSED)
def test_lists_that_others_hold_are_not_told_apart(name: str) -> None:
    found = run(source(f"a, b = Node(x), Node(y)\n{REFUSED[name].strip()}"))
    assert found.text is None
    assert found.diagnostics[0].code in ("AD107", "AD124")
