"""Print the oldest version that is allowed of each dependency of the core, as constraints for pip.

python .ci/lowest.py pandas legal    # and of those that these extras add
"""

import re
import sys
import tomllib
from pathlib import Path

BOUND = re.compile(r"^([A-Za-z0-9_.-]+)\s*>=\s*([0-9][0-9.]*)")

said = Path(__file__).parents[1].joinpath("pyproject.toml").read_text(encoding="utf-8")
project = tomllib.loads(said)["project"]
extras = [one for name in sys.argv[1:] for one in project["optional-dependencies"][name]]
for dependency in [*project["dependencies"], *extras]:
    found = BOUND.match(dependency)
    if found is None:
        raise SystemExit(f"{dependency} has no oldest version: NAME>=VERSION")
    parts = found[2].split(".")
    print(f"{found[1]}=={'.'.join([*parts, '0'][:3]) if len(parts) == 2 else found[2]}")
