"""Idioms: what programs of a language share because everyone writes it so, in these or nearly these words.

A copy of nothing but an idiom says nothing about where a program comes from. The texts were read by hand and are kept
here as they are; no file is parsed for them, so their tokens are told by a rule that does for these texts.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from wherefrom.analyzers.hashing import are_among, token_code
from wherefrom.analyzers.noise import is_noise
from wherefrom.analyzers.representations import kgrams
from wherefrom.analyzers.schemes import SCHEMES, scheme_ids
from wherefrom.analyzers.tokens import Symbols, TokenClass, is_literal
from wherefrom.analyzers.values import literal_code
from wherefrom.languages import LANGUAGES
from wherefrom.model import BoilerplateSet, Representation

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from wherefrom.model import Hashes

NAME = "idioms"
"""Of the boilerplate set that every index has."""

K = SCHEMES[Representation.RENAMED].k
"""Tokens of the k-grams of `renamed` by which an idiom is known."""

IDIOMS: Mapping[str, Sequence[str]] = {
    "javascript": (
        # A module that is defined in each of three ways.
        """(function (root, factory) {
          if (typeof define === 'function' && define.amd) {
            define(['exports'], factory);
          } else if (typeof exports === 'object') {
            factory(exports);
          } else {
            factory((root.name = {}));
          }
        }(this, function (exports) {""",
        """(function (root, factory) { 'use strict';
          if (typeof define === 'function' && define.amd) {
            define(factory);
          } else if (typeof module === 'object' && module.exports) {
            module.exports = factory();
          } else {
            root.name = factory();
          }
        })(this, function () { 'use strict';""",
        """(function (root, factory) {
          if (typeof exports === 'object' && typeof module !== 'undefined') {
            module.exports = factory(require('a'));
          } else if (typeof define === 'function' && define.amd) {
            define(['a'], factory);
          } else if (typeof exports !== 'undefined') {
            factory(exports);
          } else {
            root.name = factory(root.other);
          }
        }(typeof window !== 'undefined' ? window : this, function (a) {""",
        """;(function (global, factory) {
          typeof exports === 'object' && typeof module !== 'undefined' ? module.exports = factory() :
          typeof define === 'function' && define.amd ? define(factory) :
          (global = global || self, global.name = factory());
        }(this, (function () { 'use strict';""",
        """(function (global, factory) {
          typeof exports === 'object' && typeof module !== 'undefined' ? factory(exports) :
          typeof define === 'function' && define.amd ? define('name', ['exports'], factory) :
          (global = typeof globalThis !== 'undefined' ? globalThis : global || self, global.name = factory());
        })(this, (function (exports) {""",
        """typeof define === 'function' && define.amd ? define(factory) : global.name = factory()""",
        """  if (typeof exports !== 'undefined') {
            if (typeof module !== 'undefined' && module.exports) {
              exports = module.exports = name;
            }
            exports.name = name;
          } else if (typeof define === 'function' && define.amd) {
            define('name', [], function () {
              return name;
            });
          } else {
            root.name = name;
          }
        }).call(this);""",
        """  if (typeof define === 'function' && define.amd) {
            define(function () { return name; });
          } else if (typeof module !== 'undefined' && module.exports) {
            module.exports = name;
          } else {
            window.name = name;
          }
        }());""",
        """  if (typeof define === 'function' && define.amd) {
            define('name', [], function () {
              return name;
            });
          }
        }.call(this));""",
        """  if (typeof module !== 'undefined' && module.exports) {
            module.exports = name;
          } else {
            this.name = name;
          }
        })(this);""",
        """(function (root, factory) {
          if (typeof exports === 'object' && typeof module === 'object')
            module.exports = factory();
          else if (typeof define === 'function' && define.amd)
            define([], factory);
          else if (typeof exports === 'object')
            exports['name'] = factory();
          else
            root['name'] = factory();
        })(this, function () {
        return""",
        """(function (definition) { 'use strict';
          if (typeof bootstrap === 'function') {
            bootstrap('name', definition);
          } else if (typeof exports === 'object' && typeof module === 'object') {
            module.exports = definition();
          } else if (typeof define === 'function' && define.amd) {
            define(definition);
          } else if (typeof window !== 'undefined' || typeof self !== 'undefined') {
            var scope = typeof window !== 'undefined' ? window : self;
            scope.name = definition();
          } else {
            throw new Error('a');
          }
        })(function () { 'use strict';""",
        """var root = typeof self == 'object' && self.self === self && self ||
          typeof global == 'object' && global.global === global && global ||
          this || {};
          var name = function (obj) {
            if (obj instanceof name) return obj;
            if (!(this instanceof name)) return new name(obj);
            this._wrapped = obj;
          };
          if (typeof exports != 'undefined' && !exports.nodeType) {
            if (typeof module != 'undefined' && !module.nodeType && module.exports) {
              exports = module.exports = name;
            }
            exports.name = name;
          } else {
            root.name = name;
          }
        }());""",
        # A loop over own properties, and what is made of it.
        """for (var key in source) {
          if (source.hasOwnProperty(key)) {
            target[key] = source[key];
          }
        }
        return target;""",
        """for (var key in source) {
          if (Object.prototype.hasOwnProperty.call(source, key)) {
            target[key] = source[key];
          }
        }
        return target;""",
        """for (key in source) if (hasOwn.call(source, key)) keys.push(key);
        return keys;""",
        """for (var key in source) if (source.hasOwnProperty(key)) keys.push(key);
        return keys;""",
        """for (var key in source) { if (source.hasOwnProperty(key)) { keys.push(key); } }
        return keys;""",
        """for (var key in source) { if (!source.hasOwnProperty(key)) { continue; }""",
        """function extend(target) {
          for (var i = 1; i < arguments.length; i++) {
            var source = arguments[i];
            for (var key in source) {
              if (source.hasOwnProperty(key)) {
                target[key] = source[key];
              }
            }
          }
          return target;
        }""",
        """var extend = Object.assign || function (target) {
          for (var i = 1; i < arguments.length; i++) {
            var source = arguments[i];
            for (var key in source) {
              if (Object.prototype.hasOwnProperty.call(source, key)) {
                target[key] = source[key];
              }
            }
          }
          return target;
        };""",
        """var hasOwn = Object.prototype.hasOwnProperty; var toString = Object.prototype.toString;
        var slice = Array.prototype.slice;""",
        """var hasOwn = {}.hasOwnProperty,
          inherits = function (child, parent) {
          for (var key in parent) { if (hasOwn.call(parent, key)) child[key] = parent[key]; }
          function Surrogate() { this.constructor = child; }
          Surrogate.prototype = parent.prototype;
          child.prototype = new Surrogate();
          child.__super__ = parent.prototype;
          return child;
        };""",
        """for (var key in parent) {
            if (parent.hasOwnProperty(key)) child[key] = parent[key];
          }
          function Surrogate() { this.constructor = child; }""",
        """child.prototype = Object.create(parent.prototype, {
          constructor: { value: child, enumerable: false, writable: true, configurable: true }
        });""",
        """child.prototype = Object.create(parent.prototype); child.prototype.constructor = child;""",
        # Arguments that are copied and handed on.
        """var args = Array.prototype.slice.call(arguments, 2);
          return function () {
            return fn.apply(context, args.concat(Array.prototype.slice.call(arguments)));
          };""",
        """var args = Array.prototype.slice.call(arguments); return fn.apply(this, args);""",
        """var args = [].slice.call(arguments, 1); return fn.apply(this, args);""",
        """var self = this, args = arguments; return function () { return fn.apply(self, arguments); };""",
        """var args = new Array(arguments.length);
          for (var i = 0; i < arguments.length; i++) {
            args[i] = arguments[i];
          }
          return fn.apply(this, args);""",
        """var length = arguments.length; var args = Array(length > 1 ? length - 1 : 0);
          for (var i = 1; i < length; i++) {
            args[i - 1] = arguments[i];
          }
          fn.apply(null, args);""",
        """for (var _len = arguments.length, args = new Array(_len > 1 ? _len - 1 : 0), _key = 1; _key < _len; _key++) {
            args[_key - 1] = arguments[_key];
          }""",
        """for (var i = 0, l = arguments.length; i < l; i++) { args.push(arguments[i]); }""",
        """return setTimeout(function () { fn.apply(null, args); }, 0);""",
        # The classes of an element, and a request.
        """function hasClass(element, name) {
          return (' ' + element.className + ' ').indexOf(' ' + name + ' ') > -1;
        }
        function addClass(element, name) {
          if (!hasClass(element, name)) {
            element.className += (element.className ? ' ' : '') + name;
          }
        }""",
        """var xhr = new XMLHttpRequest();
          xhr.open('GET', url, true);
          xhr.onreadystatechange = function () {
            if (xhr.readyState === 4) {
              if (xhr.status === 200) {
                callback(xhr.responseText);
              }
            }
          };
          xhr.send(null);""",
    ),
    "python": (
        """if __name__ == "__main__":
            main()""",
        """if __name__ == "__main__":
            sys.exit(main())""",
        """if __name__ == "__main__":
            unittest.main()""",
        """for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()""",
        """threads = [threading.Thread(target=run) for _ in range(8)]
        for thread in threads: thread.start()
        for thread in threads: thread.join()
        [thread.start() for thread in threads]""",
        """def __getattr__(name: str) -> Any:
            if name == "a":
                warnings.warn("a is deprecated; use b", DeprecationWarning, stacklevel=2)
                return a
            raise AttributeError(name)""",
        """def main():
            parser = argparse.ArgumentParser()
            parser.add_argument("-a", "--b", type=str, help="c")
            parser.add_argument("-a", "--b", action="store_true", help="c")
            parser.add_argument("a", type=str, help="b")
            parser.add_argument("--a", type=str, default=0, help="b")
            parser.add_argument("--a", action="store", default=0, type=str, help="b")
            parser.add_argument("--a", action="store", type=str, default=0, help="b")
            parser.add_argument("--a", action="store", help="b")
            parser.add_argument("--a", action="store_true", default=False)
            parser.add_argument("--a", action="store_true", default=0, help="b")
            parser.add_argument("--a", action="store_true", help="b")
            parser.add_argument("--a", default="b", help="c")
            parser.add_argument("--a")
            args = parser.parse_args()
            return parser.parse_args()""",
        """parser = argparse.ArgumentParser(description="a")
            parser.add_argument("a", help="b")
            parser.add_argument("--a", help="b", default="c")
            parser.add_argument("--a", required=True, help="b")
            args = parser.parse_args()
            if""",
        """def decorator(func):
            @functools.wraps(func)
            def wrapper(*args, **kwargs):
                return func(*args, **kwargs)
            return wrapper
        return decorator""",
    ),
    "java": (
        """public class AException extends RuntimeException {
          private static final long serialVersionUID = 1;
          public AException() { }
          public AException(String message) { super(message); }
          public AException(String message, Throwable cause) { super(message, cause); }
          public AException(Throwable cause) { super(cause); }
        }""",
        """public class AException extends RuntimeException {
          private static final long serialVersionUID = -1;
          public AException(String message) { super(message); }
          public AException(String message, Throwable cause) { super(message, cause); }
        }""",
        """private static final long serialVersionUID = -1; public AException() { }
          private static final long serialVersionUID = 1; public AException(String message) {""",
        """public enum A { B("b"), C("c"), D("d"); private final String name;
          A(String name) { this.name = name; }
          @Override public String toString() { return name; } }
          private A(String name) { this.name = name; }
          public String getName() { return name; }
          public String toString() { return name; } }
          private A(String name) { this.name = name; } @Override public String toString() { return this.name; } }""",
        """public static void main(String[] args) throws Exception {""",
        """public static void main(String[] args) throws IOException {""",
        """} catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }""",
        """} catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new RuntimeException(e);
        }""",
        """} catch (Exception e) {
            e.printStackTrace();
        }""",
        """public T next() {
            if (!hasNext()) {
              throw new NoSuchElementException();
            }""",
        """public void remove() {
            throw new UnsupportedOperationException();
        }""",
        """@Override public boolean equals(Object o) {
            if (this == o) { return true; }
            if (o == null || getClass() != o.getClass()) { return false; }
            Type that = (Type) o;""",
        """@Override public boolean equals(Object obj) {
            if (this == obj) return true;
            if (obj == null) return false;
            if (getClass() != obj.getClass()) return false;
            Type other = (Type) obj;""",
        """@Override public boolean equals(Object o) {
            if (this == o) return true;
            if (o == null || getClass() != o.getClass()) return false;
            Type that = (Type) o;
            return a == that.a && b.equals(that.b);
        }""",
        """@Override public boolean equals(Object o) {
            if (this == o) { return true; }
            if (!(o instanceof Type)) { return false; }
            Type that = (Type) o;
            return a.equals(that.a) && b == that.b;
        }""",
        """@Documented @Retention(RetentionPolicy.RUNTIME)
            @Target({ElementType.METHOD, ElementType.FIELD, ElementType.PARAMETER, ElementType.TYPE})
            public @interface Type {""",
        """@Documented @Inherited @Retention(RetentionPolicy.RUNTIME) @Target(ElementType.TYPE)
            public @interface Type {""",
        """public Type(String message) { super(message); }
            public Type(String message, Throwable cause) { super(message, cause); }
            public Type(Throwable cause) { super(cause); }
            public Type() { super(); }""",
        """@Override public boolean equals(Object obj) {
            if (this == obj) { return true; }
            if (!(obj instanceof Type)) { return false; }
            Type other = (Type) obj;
            return Objects.equals(a, other.a) && Objects.equals(b, other.b) && Objects.equals(c, other.c);
        }""",
        """if (o == null || getClass() != o.getClass()) { return false; }
            final Type that = (Type) o;
            return Objects.equals(a, that.a);
        }""",
        """public boolean equals(Object obj) {
            if (obj == this) { return true; }
            if (obj == null) { return false; }
            if (!(obj instanceof Type)) { return false; }
            final Type<?> other = (Type<?>) obj;
            if (a == null) {
                if (other.a != null) { return false; }
            } else if (!a.equals(other.a)) { return false; }
            if (b != other.b) { return false; }
            return true;
        }""",
        """if (obj == null) return false;
            if (getClass() != obj.getClass()) return false;
            Type other = (Type) obj;
            if (this.a != other.a) return false;
            if (this.b == null) {
                if (other.b != null) return false;
            } else if (!this.b.equals(other.b)) return false;
            if (b == null) {
                if (other.b != null) return false;
            } else if (!b.equals(other.b)) return false;
            return true;
        }""",
        """@Override public int hashCode() {
            int result = a.hashCode();
            result = 31 * result + b.hashCode();
            result = 31 * result + (b != null ? b.hashCode() : 0);
            return result;
        }""",
        """@Override public String toString() {
            return "A{" + "a=" + a + ", b=" + b + ", c=" + c() + '}';
        }""",
        """@Override public String toString() {
            StringBuilder sb = new StringBuilder();
            sb.append("[");
            for (T a : b) { sb.append(a); sb.append(a + ", "); }
            for (T a : b.c()) sb.append(a);
            sb.append("]");
            sb.append(a).append(", ");
            return sb.toString();
        }""",
        """ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            ObjectOutputStream out = new ObjectOutputStream(bytes);
            out.writeObject(a);
            out.close();
            ByteArrayInputStream source = new ByteArrayInputStream(bytes.toByteArray());
            ObjectInputStream read = new ObjectInputStream(source);
            ObjectInputStream read = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()));
            return (Type) read.readObject();""",
        """for (Map.Entry<K, V> entry : map.entrySet()) {
            other.put(entry.getKey(), entry.getValue());
            other.put(entry.getKey(), new ArrayList<>(entry.getValue()));
        }""",
        """for (Map.Entry<K, List<V>> entry : map.entrySet()) {""",
        """StringBuilder sb = new StringBuilder();
            Iterator<T> iterator = items.iterator();
            while (iterator.hasNext()) {
                T next = iterator.next();
                sb.append(next);
                if (iterator.hasNext()) {
                    sb.append(", ");
                }
            }
            return sb.toString();""",
        """InputStream stream = null;
            try {
                stream = new FileInputStream(file);
            } finally {
                if (stream != null) {
                    stream.close();
                }
            }
        }""",
        """ByteArrayOutputStream out = new ByteArrayOutputStream();
            PrintStream original = System.out;
            System.setOut(new PrintStream(out));
            String output = out.toString();
            assertTrue(output.contains("a"));
            assertTrue(output.contains("b"));
            assertTrue(output.contains("c"));""",
        """final int prime = 31; int result = 1; result = prime * result + ((x == null) ? 0 : x.hashCode());
            result = prime * result + ((x == null) ? 0 : x.hashCode()); return result;""",
    ),
    "c": (
        """int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
          char *buf;
          buf = malloc(size + 1);
          if (buf == NULL)
            return 0;
          memcpy(buf, data, size);
          buf[size] = '\\0';
          buf[size] = 0;""",
        """buf = malloc(size + 1); if (!buf) return 0; memcpy(buf, data, size); buf[size] = 0;""",
        """int main(int argc, char *argv[]) {""",
        """int main(int argc, char **argv) {""",
        """int sock = socket(AF_INET, SOCK_STREAM, 0);
        memset(&addr, 0, sizeof(addr));
        addr.sin_family = AF_INET;
        addr.sin_addr.s_addr = INADDR_ANY;
        addr.sin_port = htons(port);
        if (bind(sock, (struct sockaddr *)&addr, sizeof(addr)) < 0) {""",
        """int i; for (i = 0; i < a->n; i++) free(a->items[i]); free(a->items); free(a); a->items = NULL;""",
        """for (i = 0; i < a->n; i++) { free(a->items[i]); } free(a->items); free(a);""",
        """for (i = 0; i < n; i++) { printf("%d ", a[i]); } printf("\\n"); return 0; }""",
    ),
}
"""The texts, by the language that they were read in; what is the same in another one is known there too."""

_TOKEN = re.compile(
    r"\"[^\"]*\"|'[^']*'|@interface|[A-Za-z_$][\w$]*|\d+|===|!==|==|!=|<=|>=|&&|\|\||\+\+|\+=|--|->|\*\*(?=kw)|\S"
)

_KEYWORDS = frozenset(
    re.findall(
        r"\w+",
        "False NULL None True as boolean catch char class const continue def else enum extends false final finally for "
        "function if in instanceof int is long new not null pass private public raise return size_t sizeof static "
        "struct super this throw throws true try typeof uint8_t var void while with",
    )
)
"""Those of the texts, in any of the languages."""

_OTHER_QUOTES = str.maketrans("'\"", "\"'")


def idiomatic(stream: Symbols) -> NDArray[np.bool_]:
    """Which tokens of a text a k-gram of an idiom covers."""
    grams = kgrams(stream, Representation.RENAMED, K)
    covered = grams.positions[are_among(grams.hashes, _hashes())]
    edges = np.zeros(len(stream.codes) + 1, np.int64)
    np.add.at(edges, covered, 1)
    np.add.at(edges, covered + K, -1)
    found: NDArray[np.bool_] = np.cumsum(edges)[:-1] > 0
    return found


def idiom_literals(stream: Symbols) -> NDArray[np.bool_]:
    """Which tokens of a text are literals that an idiom has as well, such as `'function'`, in either kind of quotes."""
    return are_among(stream.codes, _literals()) & is_literal(stream.classes)


@cache
def _literals() -> Hashes:
    """The codes of the literals of all idioms, ascending."""
    words = {word for texts in IDIOMS.values() for text in texts for word in _TOKEN.findall(text)}
    literals = {word for word in words if _class(word) in (TokenClass.STRING, TokenClass.NUMBER)}
    other_quotes = {word.translate(_OTHER_QUOTES) for word in literals}
    spelling = LANGUAGES["c"].spelling  # where a character is not a string
    return np.sort(np.array([literal_code(word.encode(), spelling) for word in literals | other_quotes], np.uint64))


@cache
def idiom_set() -> BoilerplateSet:
    """The idioms as a boilerplate set, for `--without idioms`."""
    return BoilerplateSet(NAME, tuple(IDIOMS), scheme_ids(), {Representation.RENAMED: _hashes()})


@cache
def _hashes() -> Hashes:
    """The k-grams of all idioms, ascending."""
    return np.unique(
        np.concatenate(
            [
                kgrams(symbols(language, text), Representation.RENAMED, K).hashes
                for language in ("c", "javascript", "python")  # each leaves out other noise
                for texts in IDIOMS.values()
                for text in texts
            ]
        )
    )


def symbols(language: str, text: str) -> Symbols:
    """The tokens of an idiom."""
    words = [(word.encode(), _class(word)) for word in _TOKEN.findall(text)]
    codes = np.array([_code(word, kind, language) for word, kind in words], np.uint64)
    classes = np.array([kind for _, kind in words], np.uint8)
    kept = ~is_noise(codes, classes, LANGUAGES[language])
    return Symbols(codes[kept], classes[kept], np.zeros(1, np.int64))


def _code(word: bytes, kind: TokenClass, language: str) -> int | None:
    if kind in (TokenClass.STRING, TokenClass.NUMBER):
        return literal_code(word, LANGUAGES[language].spelling if kind == TokenClass.STRING else None)
    return token_code(word)


def _class(word: str) -> TokenClass:
    if word[0] in "\"'":
        return TokenClass.STRING
    if word[0].isdigit():
        return TokenClass.NUMBER
    is_word = word[0].isalpha() or word[0] in "_$"
    return TokenClass.NAME if is_word and word not in _KEYWORDS else TokenClass.SYMBOL
