"""The examples in the help of each command, as a user types them; the tests run them."""

from collections.abc import Mapping

EXAMPLES: Mapping[str, tuple[tuple[str, str], ...]] = {
    "": (
        ("wherefrom index ~/clones", "read every clone in a folder"),
        ("wherefrom search snippet.py", "where else does this code appear?"),
        ("wherefrom check --staged", "what of the next commit appears elsewhere?"),
    ),
    "index": (
        ("wherefrom index ~/clones", "every clone in a folder"),
        ("wherefrom index --from sources.txt", "what a list names"),
        ("wherefrom index --skipped ~/clones/tools", "say which files are skipped, and why"),
    ),
    "search": (
        ("wherefrom search snippet.py", "a file"),
        ("cat snippet.py | wherefrom search -", "what was copied from somewhere"),
        ("wherefrom search https://stackoverflow.com/a/1094933", "an answer, and who names it"),
        ("wherefrom search --path '*.py' --limit 3 snippet.py", "only in some files"),
    ),
    "similar": (
        ("wherefrom similar github.com/example/tools:measure.py", "files that contain much of it"),
        ("wherefrom similar --by resemblance github.com/example/tools:measure.py", "the same file"),
    ),
    "check": (
        ("wherefrom check", "the project in the working directory"),
        ("wherefrom check --staged", "what the next commit adds"),
        ("wherefrom check --base main --format sarif > found.sarif", "a branch, for a code host"),
        ("wherefrom check --diff - < change.patch", "a change that is not applied yet"),
    ),
    "fixed": (
        ("wherefrom fixed HEAD", "what the last commit fixed"),
        ("wherefrom fixed --project ~/clones/tools HEAD", "in another repository"),
        ("wherefrom fixed --diff - < change.patch", "what a diff fixes"),
    ),
    "compare": (
        ("wherefrom compare hand-ins", "every file with every other"),
        ("wherefrom compare --by folder --template handed-out hand-ins", "a folder for each author"),
        ("wherefrom compare --archive last-year hand-ins --format csv > pairs.csv", "also with earlier work"),
        ("wherefrom compare old --with new", "which file is where now?"),
    ),
    "sources": (("wherefrom sources parser.py", "which files explain this one?"),),
    "copy": (
        ("wherefrom copy code.wherefrom copy.wherefrom", "to another folder"),
        ("wherefrom copy code.wherefrom elasticsearch://localhost:9200/code", "to a server"),
    ),
    "list": (
        ("wherefrom list", "the repositories"),
        ("wherefrom list github.com/example/tools", "the files of one"),
    ),
    "stats": (
        ("wherefrom stats", "how much is indexed"),
        ("wherefrom stats --verify", "is the index as it was written?"),
    ),
    "remove": (
        ("wherefrom remove github.com/example/tools", "one repository"),
        ("wherefrom remove --yes 'github.com/example/*'", "several, without a question"),
    ),
    "prune": (
        ("wherefrom prune", "list what is gone, and ask"),
        ("wherefrom prune --yes", "remove it without a question"),
    ),
    "sweep": (("wherefrom sweep", "after a removal beside another writer"),),
    "languages": (("wherefrom languages", "which are known, which are installed"),),
    "posts": (
        ("wherefrom posts import Posts.xml", "once"),
        ("wherefrom posts search --unattributed --output found.csv --format csv", "as a table"),
    ),
    "posts import": (
        ("wherefrom posts import Posts.xml", "a dump of Stack Overflow"),
        ("wherefrom posts import --site unix.stackexchange.com Posts.xml", "of another site"),
    ),
    "posts stats": (("wherefrom posts stats", "what was imported"),),
    "posts search": (
        ("wherefrom posts search --tag python", "only questions with a tag"),
        ("wherefrom posts search --output found.csv --format csv", "a table in a file"),
    ),
    "boilerplate": (
        ("wherefrom boilerplate learn --output sets.json", "what many repositories share"),
        ("wherefrom boilerplate accept sets.json", "store it"),
    ),
    "boilerplate add": (
        ("wherefrom boilerplate add licenses LICENSE", "of a file"),
        ("wherefrom search --without licenses snippet.py", "then search without it"),
    ),
    "boilerplate learn": (
        ("wherefrom boilerplate learn", "show what may be boilerplate"),
        ("wherefrom boilerplate learn --min-repositories 2 --output sets.json", "for `accept`"),
    ),
    "boilerplate accept": (
        ("wherefrom boilerplate accept sets.json", "all that were learned"),
        ("wherefrom boilerplate accept sets.json shared-board.py", "one of them"),
    ),
    "boilerplate list": (("wherefrom boilerplate list", "their names and sizes"),),
    "boilerplate show": (("wherefrom boilerplate show licenses", "what it was made of"),),
    "boilerplate export": (
        (
            "wherefrom boilerplate export --representation text licenses > stopwords.txt",
            "for the Elasticsearch plug-in",
        ),
    ),
    "boilerplate remove": (("wherefrom boilerplate remove licenses", "count it again in searches"),),
    "lab": (("wherefrom lab noise ~/clones", "how much do unrelated repositories share?"),),
    "lab samplers": (
        ("wherefrom lab samplers ~/clones", "on your own code"),
        ("wherefrom lab samplers --random-text 100000 -k 8 --window 8 ~/clones", "other settings"),
    ),
    "lab frequencies": (("wherefrom lab frequencies", "on what the index holds"),),
    "lab noise": (("wherefrom lab noise ~/clones", "on your own code"),),
}
"""By command, without the program's name: what is typed, and what it is for."""
