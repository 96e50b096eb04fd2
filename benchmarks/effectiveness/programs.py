"""The projects of the whole-program sets: which are indexed, which are changed and looked up, which are in no index.

Clones are in one folder as `OWNER/NAME`. Which files are taken follows from the commits, the numbers and the seed.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.effectiveness.corpus import LEAST_BYTES, MOST_BYTES
from wherefrom.languages import LANGUAGES
from wherefrom.sources.discover import discover
from wherefrom.sources.source import Entry, Source

SEED = 17

OTHERS: Mapping[str, Sequence[str]] = {
    "java": (
        "apache/kafka",
        "spring-projects/spring-framework",
        "apache/commons-collections",
        "apache/commons-io",
        "apache/commons-lang",
        "google/gson",
    ),
    "javascript": (
        "lodash/lodash",
        "moment/moment",
        "jquery/jquery",
        "jashkenas/backbone",
        "requirejs/requirejs",
        "kriskowal/q",
        "ajaxorg/ace",
        "chartjs/Chart.js",
    ),
    "python": ("numpy/numpy", "psf/requests", "pallets/flask", "pypa/setuptools"),
    "c": ("git/git", "curl/curl", "redis/redis", "libuv/libuv", "madler/zlib", "lua/lua"),
    "cpp": ("fmtlib/fmt", "google/leveldb", "google/googletest", "google/flatbuffers"),
}
"""The projects that fill the index in every draw."""


@dataclass(frozen=True, slots=True)
class Draw:
    """A choice of projects, by language.

    Attributes:
        programs: projects whose programs obfuscators and decompilers change. All their files are indexed.
        unknown: projects that are not indexed; none for a language that is left out.
        idioms: projects that are not indexed. Only their scripts with idioms are used.
        parts: the names of the parts into which the files are divided.
        seed: the seed of the choice of files.
    """

    programs: Mapping[str, Sequence[str]]
    unknown: Mapping[str, Sequence[str]]
    idioms: Sequence[str]
    parts: tuple[str, ...]
    seed: int = SEED


DRAWS: Mapping[str, Draw] = {
    "first": Draw(
        programs={
            "java": ("TheAlgorithms/Java", "kevin-wayne/algs4", "phishman3579/java-algorithms-implementation"),
            "javascript": (
                "TheAlgorithms/JavaScript",
                "trekhleb/javascript-algorithms",
                "jashkenas/underscore",
                "codemirror/codemirror5",
                "caolan/async",
            ),
            "python": ("TheAlgorithms/Python", "tornadoweb/tornado", "pypa/pip"),
        },
        unknown={
            "java": ("iluwatar/java-design-patterns", "apache/commons-math", "google/brotli"),
            "javascript": (
                "mout/mout",
                "blueimp/JavaScript-MD5",
                "eligrey/FileSaver.js",
                "d3/d3-plugins",
                "madrobby/zepto",
                "knockout/knockout",
                "Modernizr/Modernizr",
                "markedjs/marked",
                "janl/mustache.js",
                "brix/crypto-js",
            ),
            "python": ("python-poetry/poetry", "sqlalchemy/sqlalchemy"),
            "c": ("TheAlgorithms/C", "jqlang/jq", "HdrHistogram/HdrHistogram_c"),
            "cpp": ("TheAlgorithms/C-Plus-Plus",),
        },
        idioms=(
            "mout/mout",
            "madrobby/zepto",
            "knockout/knockout",
            "Modernizr/Modernizr",
            "markedjs/marked",
            "janl/mustache.js",
            "brix/crypto-js",
            "desandro/masonry",
            "flot/flot",
            "jstat/jstat",
        ),
        parts=("A", "B"),
    ),
    "second": Draw(
        programs={
            "java": ("williamfiset/Algorithms", "jhy/jsoup"),
            "javascript": ("ramda/ramda", "medialize/URI.js", "cujojs/when", "hammerjs/hammer.js"),
            "python": ("keon/algorithms", "networkx/networkx"),
        },
        unknown={
            "java": ("junit-team/junit4", "google/guice", "apache/commons-csv"),
            "javascript": ("petkaantonov/bluebird", "axios/axios", "handlebars-lang/handlebars.js"),
            "python": ("scrapy/scrapy", "celery/celery"),
            "c": ("tmux/tmux", "libexpat/libexpat"),
            "cpp": ("CLIUtils/CLI11",),
        },
        idioms=(
            "petkaantonov/bluebird",
            "handlebars-lang/handlebars.js",
            "axios/axios",
            "select2/select2",
            "component/emitter",
        ),
        parts=("C",),
    ),
    "third": Draw(
        programs={
            "java": ("zxing/zxing", "apache/commons-cli", "stleary/JSON-java"),
            "javascript": ("Leaflet/Leaflet", "paperjs/paper.js", "winstonjs/winston"),
            "python": ("pallets/click", "encode/httpx", "urllib3/urllib3"),
        },
        unknown={
            "java": ("JodaOrg/joda-time", "mockito/mockito", "EsotericSoftware/kryo"),
            "javascript": ("mochajs/mocha", "expressjs/express", "tj/commander.js"),
            "python": ("pytest-dev/pytest", "aio-libs/aiohttp", "coleifer/peewee"),
            "c": ("htop-dev/htop", "DaveGamble/cJSON"),
            "cpp": ("USCiLab/cereal", "jarro2783/cxxopts"),
        },
        idioms=(
            "browserstate/history.js",
            "bestiejs/platform.js",
            "js-cookie/js-cookie",
            "wilsonpage/fastdom",
            "dankogai/js-base64",
            "mochajs/mocha",
            "expressjs/express",
        ),
        parts=("D",),
        seed=1117,
    ),
    "fourth": Draw(
        programs={
            "java": ("apache/commons-codec", "apache/commons-pool"),
            "javascript": ("videojs/video.js", "postcss/postcss", "koajs/koa", "fastify/fastify"),
            "python": ("encode/starlette", "benoitc/gunicorn", "mkdocs/mkdocs"),
        },
        unknown={
            "java": ("mybatis/mybatis-3", "dropwizard/metrics"),
            "javascript": ("eslint/eslint", "less/less.js"),
            "python": ("Pylons/pyramid", "mongodb/mongo-python-driver", "encode/django-rest-framework"),
            "c": ("memcached/memcached", "libevent/libevent"),
            "cpp": ("catchorg/Catch2",),
        },
        idioms=("less/less.js", "ftlabs/fastclick", "kenwheeler/slick", "scottjehl/picturefill"),
        parts=("E",),
        seed=2203,
    ),
    "fifth": Draw(
        programs={
            "java": ("RoaringBitmap/RoaringBitmap", "FasterXML/jackson-core"),
            "javascript": ("hapijs/hapi", "nodemailer/nodemailer"),
            "python": ("pypa/hatch", "more-itertools/more-itertools", "pydantic/pydantic"),
        },
        unknown={
            "java": ("perwendel/spark", "apache/commons-dbcp"),
            "javascript": ("pugjs/pug", "olivernn/lunr.js"),
            "python": ("cherrypy/cherrypy", "psycopg/psycopg"),
            "c": ("nginx/nginx",),
            "cpp": ("google/re2",),
        },
        idioms=("olivernn/lunr.js", "mholt/PapaParse", "mapbox/leaflet-pip", "jshint/jshint"),
        parts=("F",),
        seed=3301,
    ),
    "sixth": Draw(
        programs={
            "javascript": (
                "jashkenas/underscore",
                "caolan/async",
                "cujojs/when",
                "hammerjs/hammer.js",
                "medialize/URI.js",
                "Leaflet/Leaflet",
                "winstonjs/winston",
            ),
        },
        unknown={},
        idioms=(
            "bower/bower",
            "fabricjs/fabric.js",
            "gruntjs/grunt",
            "impress/impress.js",
            "mishoo/UglifyJS",
            "mootools/mootools-core",
            "request/request",
            "SortableJS/Sortable",
        ),
        parts=("G",),
        seed=4409,
    ),
}
"""Rules were chosen on the first three draws. The fourth was drawn before the last two changes of the rules, the fifth
before the last one, and each was looked up at that time. The sixth is of idioms alone: it indexes libraries that have
many idioms, and its scripts were written and looked up when the rules were final.
"""


@dataclass(frozen=True, slots=True)
class Program:
    """A file of a project, named by `OWNER/NAME`."""

    project: str
    path: str
    content: bytes

    @property
    def place(self) -> str:
        """The path of the file in the indexed folder."""
        return f"{self.project}/{self.path}"


def files(clones: Path, language: str, projects: Sequence[str]) -> Iterator[Program]:
    """The files of a language that wherefrom would index, neither tiny nor huge, by project and then by path."""
    endings = LANGUAGES[language].extensions
    for project in projects:
        (source,) = discover([str(clones / project)], cache=clones)
        wanted = [
            entry
            for entry in source.entries()
            if Path(entry.path).suffix in endings
            and entry.skip is None
            and LEAST_BYTES < (entry.size or 0) < MOST_BYTES
        ]
        yield from _read(project, source, wanted)


def _read(project: str, source: Source, wanted: Sequence[Entry]) -> Iterator[Program]:
    for entry, content in source.read(wanted):
        if isinstance(content, bytes):
            yield Program(project, entry.path, content)


def some(found: Sequence[Program], number: int, name: str, seed: int = SEED) -> list[Program]:
    """At most `number` programs with different contents, chosen by the seed and `name`."""
    distinct = list({program.content: program for program in reversed(found)}.values())
    distinct.sort(key=lambda program: program.place)
    return random.Random(f"{seed} {name}").sample(distinct, min(number, len(distinct)))
