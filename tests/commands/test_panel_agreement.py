"""Agreement of several segmentations."""

import spanscope


def test_agreement_sees_every_label_whatever_the_order_of_the_segmentations() -> None:
    """Labels that only some pairs have must not change what stands for them in the others."""
    types = {"a": ("B", "B"), "b": ("B", "B"), "c": ("A", "B"), "d": ("B", "C")}
    found = []
    for order in ("abcd", "dcab", "cadb"):
        cut = {name: [[0, 3, types[name][0]], [3, 6, types[name][1]]] for name in order}
        document = {"id": 1, "length": 6, "segmentations": cut}
        result = spanscope.panel([document], None, "segments.agreement(types=nominal)")
        found.append({row.rate: row.value for row in result.agreement})
    assert found[0] == found[1] == found[2]
    assert 0 < found[0]["agreement"] < 1
