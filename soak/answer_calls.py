"""The calls whose answers are recorded, and the repositories, snippets and posts that they read."""

from __future__ import annotations

import json
import os
import re
import zipfile
from collections.abc import Iterator
from html import escape
from itertools import product
from pathlib import Path
from random import Random

from soak.inputs import samples
from soak.world import LICENSE, MODULES, module_source
from tests.posts.conftest import dump, row
from tests.repositories import Repository

COMMANDS = (
    *("index", "search", "similar", "first", "check", "fixed", "compare", "sources", "mcp", "serve", "copy", "list"),
    *(
        "stats",
        "remove",
        "prune",
        "sweep",
        "languages",
        "posts",
        "posts import",
        "posts stats",
        "posts search",
        "boilerplate",
    ),
    *(f"boilerplate {name}" for name in ("add", "learn", "accept", "list", "show", "export", "remove")),
    *("lab", "lab samplers", "lab frequencies", "lab noise"),
)

SNIPPETS = (
    *("whole.py", "function.py", "renamed.py", "edited.py", "two.py", "short.py", "license.txt", "prose.txt"),
    *("notes.md", "book.ipynb", "change.diff", "sample.java", "sample.rs", "sample.js", "unknown.py", "odd.dat"),
)

SEARCH_OPTIONS = (
    *("", "--format json", "--format jsonl", "--format csv", "--brief", "--locations", "--count", "--explain"),
    *("--language python", "--limit 1 --context 0", "--repository r1", "--not-repository '*/r1'", "--path 'lib/**'"),
    *("--own r0 --max-lines 3", "--without none", "--without shared", "--min-containment 0.5"),
    *("--min-strength strong", "--only-language python", "--max-df 0.3", "--license MIT --brief", "--color always"),
    *("--source https://stackoverflow.com/a/1 --author A", "--source https://github.com/example/r0 --unattributed"),
    *("--source https://github.com/example/r0 --written 2020-01-01 --brief", "--without-file snippets/two.py"),
    "--source https://github.com/example/r0 --unattributed --earlier --explain --format json",
)

REFUSED = (
    *("", "nothing", "search", "search absent.py", "search - ", "search --code x --limit 0"),
    *("search --code x --limit z", "search --code x --format xml", "search --code x --language klingon"),
    *("search --code x --repository absent", "search --code x --min-containment 2", "search --code x --path ''"),
    *("search --code x --written tomorrow", "search --code x --source nowhere", "search --code x --without absent"),
    *("search --code x --max-df 0", "search --code x --min-strength 7"),
    *("search --code '' ", "search snippets/empty.py", "search snippets/whole.py:0-3"),
    *("search snippets/whole.py:900-999", "search snippets/whole.py:9-3", "search --code x --earlier"),
    *("search --code x --unattributed", "search --index absent.wherefrom --code x"),
    *("search --code x --license NOT-ONE", "search --code x snippets/whole.py", "search --brief --count --code x"),
    *("search https://github.com/absent/one/blob/main/a.py", "search ftp://a/b", "search --absent", "--absent list"),
    *("similar", "similar absent.py", "similar r0:absent.py", "similar absent:own0.py", "similar --by x r0:own0.py"),
    *("sources", "sources absent.py", "sources --min-tokens 0 snippets/whole.py", "sources --format csv -"),
    *("list absent", "list 'x*'", "list --format xml", "stats x", "stats --index Posts.xml", "remove"),
    *("remove absent", "remove r", "remove --yes 'x*'", "check absent", "check --diff x..y project"),
    *("check --staged --base main project", "check --fail-on x project", "check --baseline absent.json project"),
    *("check --format xml project", "fixed", "fixed absent", "fixed --project absent HEAD"),
    *("fixed --diff absent.diff", "fixed --diff bad.json", "compare absent", "compare --by x handins"),
    *("compare --author-of '(' handins", "compare --max-share 3 handins", "compare --limit 0 handins"),
    *("compare --anonymize key.json handins", "compare --reviewed bad.json handins", "posts"),
    *("posts import absent.xml", "posts import bad.json", "posts search --site absent", "posts search --post x"),
    *("posts search --output a.txt", "posts stats --posts absent.sqlite", "posts import --site 'a b' Posts.xml"),
    *("boilerplate", "boilerplate add", "boilerplate add x", "boilerplate add x absent"),
    *("boilerplate accept bad.json", "boilerplate show absent", "boilerplate remove absent"),
    *("boilerplate export absent", "boilerplate learn --kind x", "boilerplate learn --min-repositories 0"),
    *("boilerplate add 'a b' snippets/two.py", "lab", "lab x", "lab noise x", "lab samplers -k 0 plain"),
    *("lab noise --plot a.txt plain", "copy", "copy absent.wherefrom b", "index absent", "index"),
    *("index --name a clones", "index --rev absent clones/r0", "index --jobs 0 clones", "index bad.json"),
    *("index --from absent.txt", "index --key-from x clones", "index --max-file-size -1 clones"),
    *("index --wide-terms plain", "WHEREFROM_LIMIT=0 search --code x", "WHEREFROM_CONFIG=bad.json list"),
    *("WHEREFROM_CONFIG=bad.toml list", "WHEREFROM_ABSENT=1 list"),
    *("WHEREFROM_INDEX=elasticsearch://localhost:1/x list", "serve --port x", "serve x", "serve --host 0.0.0.0"),
    *("mcp x", "prune x", "sweep x", "languages x", "search --code x --context -1"),
)


def call_groups() -> Iterator[list[str]]:
    """The calls as command lines. Calls of one group can run in any order, but a group begins after the previous one.

    A line may begin with environment variables, and end with `< FILE` for standard input. After `cd FOLDER` the rest
    runs there. `cat FILE` reads a file that an earlier call wrote. `{index}` and `{copy}` are locations of indexes.
    """
    by_format = "--format json", ""
    yield [f"{command} --help" for command in COMMANDS] + [
        "--help",
        "--version",
        "languages",
        "languages --format json",
    ]
    yield ["list", "stats", "search --code x", "check --allow-missing-index project"]
    yield ["index clones --keep-source --skipped"]
    yield ["index clones --format json"]
    yield ["index plain packed.zip --keep-source --include-data --format json"]
    yield ["index --from sources.txt --renew --max-file-size 20000 --include-generated"]
    yield ["index clones/r3 --name named --rev HEAD~1 --key-from '{owner}/{name}'", "boilerplate list"]
    yield [f"boilerplate learn --min-repositories 3 {form} --output sets.json" for form in by_format[:1]]
    yield ["cat sets.json", "boilerplate learn --min-repositories 2 --limit 3", "boilerplate learn --kind license"]
    yield ["boilerplate accept sets.json"]
    yield ["boilerplate add shared snippets/two.py snippets/license.txt"]
    yield ["boilerplate add whole --repository r1 - < snippets/edited.py"]
    yield [f"boilerplate {call} {form}" for call in ("list", "show shared", "show whole") for form in by_format]
    forms = [f"--representation {name}" for name in ("exact", "renamed", "p_match", "text")]
    yield [f"boilerplate export shared {form} --format {kind}" for form in forms for kind in ("text", "filter", "json")]
    yield ["boilerplate remove whole"]
    yield [
        f"{call} {form}" for call in ("list", "list r0", "list '*/r*'", "stats", "stats --verify") for form in by_format
    ]
    yield [f"search {options} snippets/{name}" for name, options in product(SNIPPETS[:6], SEARCH_OPTIONS)]
    yield [f"search {options} snippets/{name}" for name in SNIPPETS[6:] for options in ("", *SEARCH_OPTIONS[1:5])]
    yield [f"search {options} snippets" for options in SEARCH_OPTIONS[:8]]
    yield [f"search {options} - < snippets/{name}" for name in SNIPPETS for options in ("", "--format json")]
    link = "https://github.com/example/r0/blob/main/own0.py"
    yield [f"search {link}{lines} {options}" for lines in ("", "#L5-L30") for options in SEARCH_OPTIONS[:5]]
    yield [f"search snippets/whole.py:{lines}" for lines in ("1-9", "10-60", "5")] + ["search --code 'return x'"]
    given = "snippets/whole.py", "r0:own0.py", "snippets/sample.java", "snippets/two.py:1-50", "plain/sample.go"
    ranks = "--by containment", "--by resemblance --explain", "--budget 50 --limit 3"
    yield [f"similar {options} {file}" for file, options in product(given, (*SEARCH_OPTIONS[:8], *ranks))]
    explained = "", "--format json", "--lines", "--no-lines --limit 1", "--not-itself", "--own r0", "--min-tokens 60"
    yield [f"sources {options} {file}" for file in ("snippets/two.py", "snippets/whole.py") for options in explained]
    checks = [f"--format {kind}" for kind in ("text", "json", "html", "sarif", "cyclonedx", "spdx")]
    checks += ["--summary", "--all", "--accepted", "--own r1", "--fail-on none", "--fail-on copied-attributed"]
    parts = "", "--staged", "--base HEAD~1", "--diff HEAD~1..HEAD"
    yield [f"cd project check {part} {options}" for part in parts for options in checks]
    yield ["cd project check --diff - < change.patch", "check project/lib", "check plain --min-tokens 80 --jobs 1"]
    yield ["cd project check --baseline known.json --update-baseline"]
    yield ["cat project/known.json", "cd project check --baseline known.json --accepted"]
    yield ["cd project check --baseline known.json --staged --prune-baseline --format json"]
    fixes = "HEAD", "HEAD~1..HEAD", "--tests HEAD", "--itself --min-tokens 15 HEAD", "--diff - < fix.patch"
    kinds = "", "--format json", "--format sarif"
    yield [f"cd fixed fixed {kind} {fix}" for fix in fixes for kind in kinds] + ["fixed --project r0 HEAD"]
    compared = (
        *("handins", "--by folder handins", "--by folder --author-of '^[a-z]+' handins", "--template plain handins"),
        *(
            "--archive clones/r0 handins",
            "clones/r1 --with handins",
            "--by repository clones",
            "--min-tokens 40 handins",
        ),
        *("--max-share 1 --cluster-similarity 0.9 handins", "--limit 2 --min-containment 0.6 handins", ""),
    )
    yield [
        f"compare --quiet {options} {kind}" for options in compared for kind in ("", "--format json", "--format csv")
    ]
    yield ["compare handins --by folder --html page.html --anonymize key.json --quiet"]
    yield ["cat page.html", "cat key.json"]
    yield ["posts stats", "posts search"]
    yield ["posts import Posts.xml --tag python"]
    yield ["posts import Posts.xml"]
    yield ["posts import Posts.xml"]
    wanted = "", "--tag python", "--unattributed", "--post https://stackoverflow.com/a/3", "--limit 1 --without none"
    posts = [f"posts search {options} {kind}" for options in wanted for kind in ("", "--format csv", "--format jsonl")]
    yield [*posts, *(f"posts stats {form}" for form in by_format)]
    yield ["posts search --output rows.csv --format csv"]
    yield ["cat rows.csv", "posts search --output rows.csv --format csv"]
    yield [f"lab {call} {form}" for call in ("noise clones", "frequencies", "noise") for form in by_format]
    yield [f"lab samplers --random-text 20000 -k {k} --window {w} plain" for k, w in ((5, 4), (8, 8))]
    yield list(REFUSED)
    yield ["copy {index} {copy} --format json"]
    yield ["copy {index} {copy}"]
    yield [f"{call} --index {{copy}}" for call in ("list", "stats", "boilerplate list", "search snippets/whole.py")]
    yield ["remove r1"]
    yield ["remove 'r*'", "prune", "prune --format json"]
    yield ["remove --yes 'r*'"]
    yield ["sweep"]
    yield ["list --format json", "stats --format json", "search --brief snippets/whole.py"]


def make_world(folder: Path) -> None:
    """Makes the repositories, snippets, submissions and posts that the calls read."""
    modules = {f"{name}.py": module_source(name) for name in MODULES}
    others = {f"sample{ending}": content for ending, content in samples().items()}
    for number in range(5):
        dice = Random(number)
        chosen = {**modules, **others}
        names = dice.sample(sorted(chosen), 14)
        files = {f"{dice.choice(('src', 'lib/deep'))}/{name}": chosen[name] for name in names}
        own = LICENSE.encode() + modules["heapq.py"] + b"\n\nOWNER = %d\n" % number
        clone = Repository.make(folder / "clones" / f"r{number}", {**files, f"own{number}.py": own, "data.json": b"{}"})
        credited = b"# https://stackoverflow.com/a/1\n" + modules["shlex.py"][:4000]
        clone.commit({"new.py": credited, "none.bin": b"\0" * 9, "LICENSE": LICENSE.replace("# ", "").encode()})
        if number < 3:
            clone.git("remote", "add", "origin", f"https://github.com/example/r{number}.git")
    plain = Repository(folder)
    heap, wrap = (modules[name].decode() for name in ("heapq.py", "textwrap.py"))
    function = heap[heap.index("def merge") : heap.index("def nsmallest")]
    renamed = re.sub(r"\b(iterables|value|order|next|h)\b", r"\1_", function)
    cells = [{"cell_type": "code", "source": function.splitlines(keepends=True)}]
    texts = {"whole.py": heap, "function.py": function, "renamed.py": renamed, "short.py": "x = 1\n", "empty.py": ""}
    texts |= {"edited.py": "".join(line for at, line in enumerate(heap.splitlines(keepends=True)) if at % 9)}
    texts |= {"two.py": function + wrap[2000:6000], "license.txt": LICENSE, "prose.txt": LICENSE.replace("# ", "")}
    texts |= {"notes.md": f"# Notes\n\n```python\n{function}```\n", "book.ipynb": json.dumps({"cells": cells})}
    texts |= {"change.diff": "".join(f"+{line}" for line in function.splitlines(keepends=True)), "odd.dat": "\0\1"}
    texts |= {f"sample{ending}": samples()[ending].decode() for ending in (".java", ".rs", ".js")}
    texts |= {"unknown.py": "def unlike(anything):\n    while anything:\n        anything = anything[3:] ^ 77\n" * 9}
    plain.write({f"snippets/{name}": text.encode() for name, text in texts.items()})
    plain.write({f"plain/{name}": content for name, content in others.items()})
    for at, name in enumerate(("ann", "bob", "cat", "dan")):
        plain.write({f"handins/{name}/{name}{at}.py": [modules["cmd.py"], heap.encode(), *[renamed.encode()] * 2][at]})
        plain.write({f"handins/{name}/both.py": modules["shlex.py"][: 2000 + 900 * at]})
    copied = {f"lib/{name}": b"import os\n\n" + modules[name] for name in ("heapq.py", "textwrap.py")}
    project = Repository.make(folder / "project", {**copied, "known.py": b"# wherefrom: ok mine\n" + modules["cmd.py"]})
    project.commit(
        {"shlex.py": b"# https://github.com/example/r0\n" + modules["shlex.py"], "go.go": others["sample.go"]}
    )
    project.write({"staged.py": modules["glob.py"]})
    project.git("add", "staged.py")
    project.write({"change.patch": project.git("diff", "HEAD~1", "HEAD").encode() + b"\n"})
    fixed = Repository.make(folder / "fixed", {"heapq.py": heap.encode(), "test_a.py": wrap.encode()})
    fixed.commit({"heapq.py": heap.replace("h_append(", "(h_append)(").replace("pos > ", "pos >= ").encode()})
    plain.write({"fixed/fix.patch": fixed.git("diff", "HEAD~1", "HEAD").encode() + b"\n", "bad.json": b'{"a": ['})
    plain.write({"sources.txt": b"clones/r4\nplain named-plain\nabsent\n", "bad.toml": b"limit = 'x'\nabsent = 1\n"})
    with zipfile.ZipFile(folder / "packed.zip", "w") as archive:
        for name in ("queue.py", "shelve.py", "types.py"):
            archive.writestr(f"packed/{name}", modules[name])
    blocks = [
        f"<p>{at}</p><pre><code>{escape(text.decode()[:2500])}</code></pre>" for at, text in enumerate(modules.values())
    ]
    plain.write(
        {"Posts.xml": dump(*(row(at, Tags="<python>" * (at % 2), Body=text) for at, text in enumerate(blocks, 1)))}
    )
    for name in ("packed.zip", "plain", "handins"):  # the revisions of these folders depend on the times of files
        for path in (folder / name, *(folder / name).rglob("*")):
            os.utime(path, (0, 0))
