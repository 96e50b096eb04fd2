"""Makes a set of whole programs that obfuscators, minifiers and decompilers have changed, out of real projects.

The tools are for development only and are in one folder:

    npm install javascript-obfuscator@5.8.0 terser@5.51.2 uglify-js@3.19.3
    python -m venv py && py/bin/pip install python-minifier==3.4.0

and, each by `mvn dependency:copy -DoutputDirectory=. -Dartifact=...`, the jars

    org.benf:cfr:0.152
    org.vineflower:vineflower:1.10.1
    com.guardsquare:proguard-base:7.6.1, with proguard-core:9.1.7, log4j-api and -core, gson, json, kotlin-stdlib
        and kotlin-metadata-jvm
    org.bitbucket.mstrobel:procyon-compilertools:0.6.0, with procyon-core, -expressions, -reflection and jcommander

with the JDK's `javac`, `node` and those jars. Java programs are compiled, obfuscated by ProGuard or not, and
decompiled; scripts go through each tool once. What a tool cannot do is left out.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from benchmarks.effectiveness.programs import DRAWS, Program, files, some

LINES = (40, 500)
"""A program has this many lines, from and to."""

MANIFEST = "programs.json"


@dataclass(frozen=True, slots=True)
class Changed:
    """A changed program.

    Attributes:
        project, path: of the original program.
        language: of the original and of the changed text.
        version: what was done to it.
        file: the changed text, in the folder of the set.
    """

    project: str
    path: str
    language: str
    version: str
    file: str

    @property
    def place(self) -> str:
        """Where the program is in the folder that is indexed."""
        return f"{self.project}/{self.path}"


def load(folder: Path) -> list[Changed]:
    """The set that was made in a folder."""
    return [Changed(**row) for row in json.loads((folder / MANIFEST).read_text())]


def is_program(program: Program) -> bool:
    """Whether a program has a fitting length and is not a test."""
    lines = program.content.count(b"\n")
    is_test = re.search(r"(?i)\btests?\b|[._-]test|test[._-]|\bspec\b|module-info|package-info", program.path)
    return LINES[0] <= lines <= LINES[1] and not is_test


# Scripts

_MANGLED = """
const fs = require("fs"), path = require("path");
const [tools, version, list] = process.argv.slice(1);
const load = (name) => require(path.join(tools, "node_modules", name));
const obfuscated = (code, options) =>
  load("javascript-obfuscator").obfuscate(code, {seed: 17, ...options}).getObfuscatedCode();
const uglified = (code) => {
  const made = load("uglify-js").minify(code, {mangle: {toplevel: true}});
  if (made.error) throw made.error;
  return made.code;
};
const changes = {
  "terser": async (code) =>
    (await load("terser").minify(code, {mangle: {toplevel: true}, compress: {toplevel: false}})).code,
  "uglify": async (code) => uglified(code),
  "obfuscator": async (code) => obfuscated(code, {renameGlobals: true}),
  "obfuscator, low": async (code) => obfuscated(code, {optionsPreset: "low-obfuscation"}),
  "obfuscator, medium": async (code) => obfuscated(code, {optionsPreset: "medium-obfuscation"}),
};
(async () => {
  for (const [from, to] of JSON.parse(fs.readFileSync(list, "utf-8"))) {
    try {
      fs.writeFileSync(to, await changes[version](fs.readFileSync(from, "utf-8")));
    } catch (error) { console.error(from + ": " + String(error).split("\\n")[0]); }
  }
})();
"""

_MINIFIED = """
import ast, json, sys
import python_minifier
version, listed = sys.argv[1:]
settings = {
    "minifier": {},
    "minifier, all names": dict(rename_globals=True, remove_literal_statements=True, remove_asserts=True),
}
for before, after in json.load(open(listed)):
    try:
        code = open(before, encoding="utf-8").read()
        if version == "unparsed":
            made = ast.unparse(ast.parse(code))
        else:
            made = python_minifier.minify(code, **settings[version])
        open(after, "w", encoding="utf-8").write(made)
    except Exception as error:
        print(before, repr(error)[:200], file=sys.stderr)
"""

SCRIPTS: Mapping[str, Sequence[str]] = {
    "javascript": ("terser", "uglify", "obfuscator, low", "obfuscator", "obfuscator, medium"),
    "python": ("unparsed", "minifier", "minifier, all names"),
}


def scripts(language: str, chosen: Sequence[Program], tools: Path, out: Path) -> Iterator[Changed]:
    """Changes each program by each tool of its language."""
    ending = {"javascript": ".js", "python": ".py"}[language]
    work = out / "work" / language
    work.mkdir(parents=True, exist_ok=True)
    for number, program in enumerate(chosen):
        (work / f"{number}{ending}").write_bytes(program.content)
    for version in SCRIPTS[language]:
        folder = out / "queries" / language / version.replace(", ", "-").replace(" ", "-")
        folder.mkdir(parents=True, exist_ok=True)
        pairs = [(str(work / f"{number}{ending}"), str(folder / f"{number}{ending}")) for number in range(len(chosen))]
        listed = work / "list.json"
        listed.write_text(json.dumps(pairs))
        if language == "javascript":
            command = ["node", "-e", _MANGLED, str(tools.resolve()), version, str(listed)]
        else:
            command = [str(tools / "py/bin/python"), "-c", _MINIFIED, version, str(listed)]
        subprocess.run(command, check=True)
        for (_, after), program in zip(pairs, chosen, strict=True):
            yield from _made(program, language, version, Path(after), out)


def _made(program: Program, language: str, version: str, after: Path, out: Path) -> Iterator[Changed]:
    if after.exists() and after.stat().st_size > 100:
        yield Changed(program.project, program.path, language, version, after.relative_to(out).as_posix())


# Java

_PROGUARD = """
-libraryjars <java.home>/jmods/java.base.jmod(!**.jar;!module-info.class)
-libraryjars <java.home>/jmods/java.desktop.jmod(!**.jar;!module-info.class)
-dontwarn
-ignorewarnings
-dontnote
-dontshrink
-forceprocessing
-flattenpackagehierarchy
"""


def decompiled(found: Sequence[Program], number: int, tools: Path, out: Path) -> Iterator[Changed]:
    """Decompiles `number` programs that compile, by each decompiler, from each kind of class files."""
    work = out / "work/java"
    sources = work / "sources"
    for program in found:
        place = sources / program.place
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(program.content)
    chosen = compiled([program for program in found if is_program(program)], number, sources, work / "plain")
    _jar(work / "plain", work / "plain.jar")
    kept = "\n".join(f"-keep class {_class_of(program)}" for program in chosen)
    java_home = subprocess.run(
        ["java", "-XshowSettings:properties", "-version"], capture_output=True, text=True, check=True
    ).stderr
    home = re.search(r"java\.home = (.*)", java_home)[1]  # type: ignore[index]
    for name, more in (("obfuscated", "-dontoptimize"), ("optimized", "-optimizationpasses 2")):
        rules = work / f"{name}.pro"
        settings = _PROGUARD.replace("<java.home>", home)
        rules.write_text(f"-injars {work / 'plain.jar'}\n-outjars {work / name}.jar\n{settings}\n{more}\n{kept}\n")
        (work / f"{name}.jar").unlink(missing_ok=True)
        subprocess.run(["java", "-cp", f"{tools}/*", "proguard.ProGuard", f"@{rules}"], check=True, stdout=sys.stderr)
    for classes in ("plain", "obfuscated", "optimized"):
        jar = work / f"{classes}.jar"
        for decompiler, command in _DECOMPILERS.items():
            folder = work / f"{classes}-{decompiler}"
            folder.mkdir(exist_ok=True)
            subprocess.run(
                command(tools, jar, folder), check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
            )
            for number_of, program in enumerate(chosen):
                made = folder / f"{_class_of(program).replace('.', '/')}.java"
                after = out / "queries/java" / f"{classes}-{decompiler}" / f"{number_of}.java"
                after.parent.mkdir(parents=True, exist_ok=True)
                if made.exists():
                    after.write_bytes(made.read_bytes())
                version = decompiler if classes == "plain" else f"ProGuard, {classes}, {decompiler}"
                yield from _made(program, "java", version, after, out)


_PROCYON = """
import com.strobel.assembler.metadata.*;
import com.strobel.decompiler.*;
import java.nio.file.*;
import java.util.jar.*;

public class Procyon {
    public static void main(String[] args) throws Exception {
        JarFile jar = new JarFile(args[0]);
        DecompilerSettings settings = DecompilerSettings.javaDefaults();
        settings.setTypeLoader(new CompositeTypeLoader(new JarTypeLoader(jar), new ClasspathTypeLoader()));
        for (JarEntry entry : java.util.Collections.list(jar.entries())) {
            if (!entry.getName().endsWith(".class") || entry.getName().contains("$")) continue;
            String name = entry.getName().substring(0, entry.getName().length() - 6);
            try {
                PlainTextOutput made = new PlainTextOutput();
                Decompiler.decompile(name, made, settings);
                Path after = Paths.get(args[1], name + ".java");
                Files.createDirectories(after.getParent());
                Files.writeString(after, made.toString());
            } catch (Throwable error) { System.err.println(name + ": " + error); }
        }
    }
}
"""
"""A minimal command for Procyon, whose own command is in no registry."""


def _written(path: Path, text: str) -> str:
    path.write_text(text)
    return str(path)


def _one_jar(tools: Path, name: str) -> str:
    (jar,) = tools.glob(f"{name}-*.jar")
    return str(jar)


_DECOMPILERS: Mapping[str, Callable[[Path, Path, Path], list[str]]] = {
    "CFR": lambda tools, jar, folder: [
        *("java", "-jar", _one_jar(tools, "cfr"), str(jar), "--outputdir", str(folder), "--silent", "true")
    ],
    "Procyon": lambda tools, jar, folder: [
        *("java", "-cp", f"{tools}/*", _written(folder.parent / "Procyon.java", _PROCYON), str(jar), str(folder))
    ],
    "Vineflower": lambda tools, jar, folder: ["java", "-jar", _one_jar(tools, "vineflower"), str(jar), str(folder)],
}


def _class_of(program: Program) -> str:
    package = re.search(rb"(?m)^\s*package\s+([\w.]+)\s*;", program.content)
    name = Path(program.path).stem
    return f"{package[1].decode()}.{name}" if package else name


def compiled(candidates: Sequence[Program], number: int, sources: Path, classes: Path) -> list[Program]:
    """Compiles the first `number` programs that compile, one of each class name, without names of local variables."""
    chosen: list[Program] = []
    taken: set[str] = set()
    classes.mkdir(parents=True, exist_ok=True)
    roots = ":".join(str(root) for root in _source_roots(sources))
    for program in candidates:
        if len(chosen) == number:
            break
        if _class_of(program) in taken:
            continue
        done = subprocess.run(
            [
                *("javac", "-nowarn", "-proc:none", "-g:none", "-implicit:none", "-encoding", "utf-8"),
                *("-sourcepath", roots, "-d", str(classes), str(sources / program.place)),
            ],
            check=False,
            capture_output=True,
        )
        if done.returncode == 0:
            chosen.append(program)
            taken.add(_class_of(program))
    return chosen


def _source_roots(sources: Path) -> Iterator[Path]:
    """The folders where packages begin in each project."""
    for project in sorted(sources.glob("*/*")):
        roots = sorted(project.glob("**/src/main/java")) or [project / "src", project]
        yield from roots


def _jar(classes: Path, jar: Path) -> None:
    subprocess.run(["jar", "cf", str(jar), "-C", str(classes), "."], check=True)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.effectiveness.obfuscation", description=__doc__)
    parser.add_argument("clones", type=Path, help="folder of clones, as OWNER/NAME")
    parser.add_argument("out", type=Path, help="folder for the set")
    parser.add_argument("--tools", type=Path, required=True, help="folder of the tools")
    parser.add_argument("--programs", type=int, default=60, help="of each language (default: %(default)d)")
    parser.add_argument("--draw", choices=DRAWS, default="first", help="of projects (default: %(default)s)")
    parser.add_argument("--language", action="append", help="only this one; may be repeated")
    options = parser.parse_args()
    draw = DRAWS[options.draw]
    made: list[Changed] = []
    for language in options.language or draw.programs:
        found = list(files(options.clones, language, draw.programs[language]))
        if language == "java":
            ordered = some(found, len(found), "java programs", draw.seed)
            made += decompiled(ordered, options.programs, options.tools, options.out)
        else:
            fitting = [program for program in found if is_program(program)]
            chosen = some(fitting, options.programs, f"{language} programs", draw.seed)
            made += scripts(language, chosen, options.tools, options.out)
        print(f"{language}: {sum(each.language == language for each in made)} changed programs", flush=True)
    (options.out / MANIFEST).write_text(json.dumps([asdict(each) for each in made], indent=1) + "\n")


if __name__ == "__main__":
    main()
