"""How much room an install of the core takes: Spanscope and what it needs, without extras, by package.

    python benchmarks/install_size.py

Sizes are those of the files that each package installed, as its metadata lists them; compiled modules, which
Python adds when it likes, are left out. An editable install of Spanscope itself is measured by its source files.
"""

from __future__ import annotations

import re
import sys
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

NAME = re.compile(r"[A-Za-z0-9._-]+")


def core(name: str = "spanscope") -> dict[str, Distribution]:
    """Return a package and all that it needs, without extras, by name."""
    found: dict[str, Distribution] = {}
    left = [name]
    while left:
        one = left.pop()
        if one in found:
            continue
        try:
            found[one] = distribution(one)
        except PackageNotFoundError:
            continue  # what another system or Python needs
        for needed in found[one].requires or []:
            said = NAME.match(needed)
            if said is not None and "extra" not in needed.partition(";")[2]:
                left.append(re.sub(r"[-_.]+", "-", said[0]).lower())
    return found


def size_of(one: Distribution) -> int:
    """Return the bytes of the files of a package."""
    files = [Path(str(one.locate_file(file))) for file in one.files or []]
    if one.metadata["Name"] == "spanscope" and not any(file.name == "registry.py" for file in files):
        import spanscope

        files = [*Path(spanscope.__file__).parent.rglob("*")]
    return sum(file.stat().st_size for file in files if file.is_file() and file.suffix != ".pyc")


def main() -> int:
    """Print the sizes, largest first, and their sum."""
    sizes = {name: size_of(one) for name, one in core().items()}
    for name, size in sorted(sizes.items(), key=lambda one: -one[1]):
        print(f"{size / 1e6:>8.1f} MB  {name}")
    print(f"{sum(sizes.values()) / 1e6:>8.1f} MB  the core install")
    return 0


if __name__ == "__main__":
    sys.exit(main())
