"""Texts in order, by how many of them stand before each."""


def ranks(texts: list[str]) -> list[int]:
    found = []
    for own in texts:
        before = 0
        for other in texts:
            if other < own:
                before += 1
        found.append(before)
    return found
