"""Small pieces of code, and clones that contain them, for the page about the library and many tests."""

from __future__ import annotations

from pathlib import Path

POSTS = Path(__file__).parent / "posts" / "samples" / "early.xml"

AREA = """\
def area_of_polygon(points):
    total = 0
    for (x, y), (next_x, next_y) in zip(points, points[1:] + points[:1]):
        total += x * next_y - next_x * y
    return abs(total) / 2
"""

PERIMETER = """\
def perimeter_of_polygon(points):
    length = 0.0
    for (x, y), (next_x, next_y) in zip(points, points[1:] + points[:1]):
        length += ((next_x - x) ** 2 + (next_y - y) ** 2) ** 0.5
    return length
"""

FEET = """\
def in_feet(lengths, digits=2):
    feet = [round(length / 0.3048, digits) for length in lengths]
    return {"unit": "ft", "lengths": feet, "total": round(sum(feet), digits)}
"""

OWN = """\
def report(path, names):
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(f"{number}: {name.title()}\\n" for number, name in enumerate(sorted(names), 1))
"""

AGO = """\
class Ago {
  static string Words(DateTime then) {
    TimeSpan past = DateTime.UtcNow - then;
    if (past.TotalSeconds < 60)
      return "just now";

    return past.Hours + " hours ago";
  }
}
"""

CLONES = {
    "geometry": {"geometry.py": f"{AREA}\n\n{PERIMETER}", "README.md": "# Geometry\n\nAreas and lengths.\n"},
    "maps": {
        "maps/shapes.py": f"# From https://github.com/example/geometry, thanks.\n{AREA.replace('total', 'twice')}",
        "data.json": '{"zoom": 3}\n',
    },
    "games": {"board.py": f"SIDES = 4\n\n\n{AREA}"},
    "tools": {"measure.py": FEET, "Ago.cs": AGO},
}
"""The indexed files, in clones of github.com/example."""


MINE = f"""\
{AREA.replace("points", "corners")}

# Taken from https://github.com/example/tools
{FEET}

{OWN}"""
"""A file of the user that contains some of the indexed code."""


FIXED = AREA.replace("    total = 0\n", "    if len(points) < 3:\n        return 0\n    total = 0\n")
"""`AREA` with the check that was missing."""
