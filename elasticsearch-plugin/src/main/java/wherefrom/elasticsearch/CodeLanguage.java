package wherefrom.elasticsearch;

import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** A language that the lexer knows. The lexer reads other languages as the most similar one of these. */
enum CodeLanguage {
    /** C and Objective-C. */
    C(Words.C_OPERATORS, Words.C_KEYWORDS),

    /** C++. */
    CPP(
            Words.C_OPERATORS,
            Words.C_KEYWORDS
                    + """
                    catch class co_await co_return co_yield concept consteval constinit decltype delete explicit final friend
                    mutable namespace new noexcept operator override private protected public requires static_assert template
                    this throw try typename using virtual
                    """),

    /** Java, and other languages with braces. */
    JAVA(
            """
            >>>= <<= >>= >>> ... -> => :: ?. ?? ++ -- << >> <= >= == != && || += -= *= /= %= &= ^= |= := ** ..
            """,
            """
            abstract assert boolean break byte case catch char class continue default do double else enum extends false
            final finally float for goto if implements import instanceof int interface long native new null package private
            protected public record return sealed short static strictfp super switch synchronized this throw throws
            transient true try void volatile while yield
            """),

    /** JavaScript and TypeScript. */
    JAVASCRIPT(
            """
            >>>= ... === !== **= <<= >>= >>> &&= ||= ??= => ?. ?? ** ++ -- << >> <= >= == != && || += -= *= /= %= &= ^= |=
            </ />
            """,
            """
            as async await break case catch class const continue debugger default delete do else export extends false
            finally for from function get if import in instanceof let new null of return set static super switch this throw
            true try typeof undefined var void while with yield
            """),

    /** Python. */
    PYTHON(
            """
            **= //= >>= <<= ... -> := ** // << >> <= >= == != <> += -= *= /= %= &= |= ^= @=
            """,
            """
            __future__ and as assert async await break case class continue def del elif else except False finally for from
            global if import in is lambda match None nonlocal not or pass raise return True try while with yield
            """),

    /** The shells. */
    SHELL(
            """
            $(( ${ $( (( )) ;;& ;;  ;& &&  || &>> &> >& >> <<< <<- << <& <( >( [[ ]] == != =~ += |&
            """,
            "");

    /** What C and C++ share; a nested class, since enum constants are made before static fields. */
    private static final class Words {
        static final String C_OPERATORS =
                """
                <<= >>= ... ->* <=> -> ++ -- << >> <= >= == != && || += -= *= /= %= &= ^= |= :: ##
                """;
        static final String C_KEYWORDS =
                """
                _Alignas _Alignof _Atomic _Generic _Noreturn alignas alignof asm auto bool break case char char16_t char32_t
                char64_t char8_t const constexpr continue default defined define do double elif elifdef elifndef else endif
                enum extern false FALSE float for goto if ifdef ifndef include inline int int16_t int32_t int64_t int8_t
                intptr_t long max_align_t noreturn NULL nullptr nullptr_t offsetof ptrdiff_t register restrict return short
                signed size_t sizeof ssize_t static struct switch thread_local true TRUE typedef uint16_t uint32_t uint64_t
                uint8_t uintptr_t union unsigned void volatile while __alignof __alignof__ __asm __asm__ __attribute
                __attribute__ __based __cdecl __clrcall __declspec __except __extension__ __fastcall __finally __forceinline
                __inline __inline__ __leave __restrict__ __stdcall __thiscall __thread __try __unaligned __vectorcall
                __volatile__ _alignof _unaligned
                """;
    }

    /** The prefixes of strings, in lower case. */
    private static final Set<String> PYTHON_PREFIXES =
            new HashSet<>(Arrays.asList("r", "b", "u", "f", "t", "br", "rb", "fr", "rf", "tr", "rt"));

    private static final Set<String> C_PREFIXES =
            new HashSet<>(Arrays.asList("L", "u", "U", "u8", "R", "LR", "uR", "UR", "u8R"));

    /** Languages of wherefrom that the setting refuses: the lexer reads too many of their tokens differently. */
    private static final Set<String> REFUSED = Set.of("rust", "go", "typescript");

    /** The operators, the longest first. */
    final String[] operators;

    final Set<String> keywords;

    CodeLanguage(String operators, String keywords) {
        this.operators = operators.strip().split("\\s+");
        this.keywords = new HashSet<>(Arrays.asList(keywords.strip().split("\\s+")));
    }

    /** Whether a word directly before a quotation mark is a prefix of the string. */
    boolean isPrefix(String word) {
        return switch (this) {
            case PYTHON -> PYTHON_PREFIXES.contains(word.toLowerCase(java.util.Locale.ROOT));
            case C, CPP -> C_PREFIXES.contains(word);
            default -> false;
        };
    }

    /**
     * Returns the language in the settings, or null if it should be guessed.
     *
     * @throws IllegalArgumentException no language has that name, or it is one of {@link #REFUSED}
     */
    static CodeLanguage of(LexerSettings settings) {
        String given = settings.language();
        for (CodeLanguage language : values()) {
            if (language.name().toLowerCase(java.util.Locale.ROOT).equals(given)) {
                return language;
            }
        }
        if (given.isEmpty() || given.equals("auto")) {
            return null;
        }
        if (REFUSED.contains(given)) {
            throw new IllegalArgumentException("the setting [language] cannot be " + given + ", whose tokens the lexer "
                    + "reads otherwise than wherefrom; let wherefrom fill the fields, as plugin_fields does");
        }
        throw Winnowing.wrong("language", "auto, c, cpp, java, javascript, python or shell", given);
    }

    private static final Map<String, CodeLanguage> MARKS = new HashMap<>();

    static {
        mark(
                C,
                """
                include define ifdef ifndef endif pragma undef struct typedef sizeof unsigned NULL size_t uint32_t uint8_t
                uint64_t extern goto printf malloc free inline union char
                """);
        mark(CPP, "template typename namespace std nullptr const_cast static_cast constexpr noexcept virtual operator cout");
        mark(
                JAVA,
                """
                package public private protected final extends implements throws String Override boolean List Map interface
                abstract synchronized instanceof System func fn impl pub mut Integer Object Exception
                """);
        mark(
                JAVASCRIPT,
                """
                function const let var require exports module undefined typeof prototype document window async await export
                console JSON Promise
                """);
        mark(PYTHON, "def self elif None True False lambda except pass import from and or not is in raise with __init__");
        mark(SHELL, "fi done then esac echo local elif sh bash sudo grep sed awk cd mkdir exit");
    }

    private static void mark(CodeLanguage language, String words) {
        for (String word : words.strip().split("\\s+")) {
            MARKS.putIfAbsent(word, language);
        }
    }

    /** Guesses the language of a text from its beginning. */
    static CodeLanguage guess(String beginning) {
        int[] counts = new int[values().length];
        boolean isComment = false;
        int lineStart = 0;
        while (lineStart < beginning.length()) {
            int lineEnd = beginning.indexOf('\n', lineStart);
            lineEnd = lineEnd < 0 ? beginning.length() : lineEnd;
            String line = beginning.substring(lineStart, lineEnd).strip();
            isComment = isComment || line.startsWith("/*");
            if (!isComment) {
                countLine(line, lineStart == 0, counts);
            }
            isComment = isComment && !line.contains("*/");
            lineStart = lineEnd + 1;
        }
        CodeLanguage best = JAVA;
        for (CodeLanguage language : values()) {
            if (counts[language.ordinal()] > counts[best.ordinal()]) {
                best = language;
            }
        }
        return best;
    }

    private static boolean isDirective(String line) {
        int at = 1;
        while (at < line.length() && line.charAt(at) == ' ') {
            at++;
        }
        int end = at;
        while (end < line.length() && Character.isLetter(line.charAt(end))) {
            end++;
        }
        return line.charAt(0) == '#' && switch (line.substring(Math.min(at, end), end)) {
            case "define", "elif", "else", "endif", "error", "if", "ifdef", "ifndef", "import", "include", "line", "pragma",
                    "undef", "warning" -> true;
            default -> false;
        };
    }

    private static void countLine(String line, boolean isFirst, int[] counts) {
        if (line.isEmpty()) {
            return;
        }
        if (isFirst && line.startsWith("#!")) {
            CodeLanguage named = line.contains("python")
                    ? PYTHON
                    : line.contains("node") || line.contains("deno") ? JAVASCRIPT : line.endsWith("sh") ? SHELL : null;
            if (named != null) {
                counts[named.ordinal()] += 1_000;
            }
            return;
        }
        // A comment counts by its opening alone; its words say nothing.
        if (line.startsWith("//") || line.startsWith("*")) {
            counts[PYTHON.ordinal()] -= 1;
            counts[SHELL.ordinal()] -= 1;
            return;
        }
        boolean isDirective = isDirective(line);
        if (line.charAt(0) == '#' && !isDirective) {
            int comment = line.length() > 1 && line.charAt(1) == ' ' ? 1 : 0;
            counts[PYTHON.ordinal()] += comment;
            counts[SHELL.ordinal()] += comment;
            return;
        }
        char last = line.charAt(line.length() - 1);
        if (last == ';' || last == '{' || last == '}') {
            counts[PYTHON.ordinal()] -= 2;
            counts[C.ordinal()] += last == ';' && !line.contains("=>") ? 1 : 0;
            counts[CPP.ordinal()] += last == ';' && !line.contains("=>") ? 1 : 0;
            counts[JAVA.ordinal()] += last == ';' ? 1 : 0;
            counts[JAVASCRIPT.ordinal()] += last == ';' ? 1 : 0;
        } else if (last == ':' || line.startsWith("@")) {
            counts[PYTHON.ordinal()] += 2;
        }
        if (line.contains("\"\"\"") || line.contains("self.")) {
            counts[PYTHON.ordinal()] += isFirst ? 20 : 3;
        }
        if (line.startsWith("from ") && line.contains(" import ") && last != ';') {
            counts[PYTHON.ordinal()] += 6;
        }
        if (line.contains("::") && !line.contains("->")) {
            counts[CPP.ordinal()] += 2;
        }
        if (line.contains("->") || isDirective) {
            counts[C.ordinal()] += isDirective ? 3 : 1;
            counts[CPP.ordinal()] += isDirective ? 3 : 1;
        }
        boolean isExport = line.startsWith("export ") && (last == '{' || last == ';' || last == ',');
        if ((line.startsWith("import ") || line.startsWith("export ")) && (line.contains(" from \"") || line.contains(" from '"))) {
            counts[JAVASCRIPT.ordinal()] += 6;
        }
        if (line.contains("fn ") || line.startsWith("use ") && last == ';' || line.contains("let mut ")) {
            counts[JAVA.ordinal()] += 6; // Rust and similar languages, which are read as Java
        }
        if (line.contains("===") || line.contains("=> ") || isExport) {
            counts[JAVASCRIPT.ordinal()] += 3;
        }
        if (line.contains("$(") || line.startsWith("if [") || line.contains("\"$")) {
            counts[SHELL.ordinal()] += 3;
        }
        int at = 0;
        while (at < line.length()) {
            int end = at;
            while (end < line.length() && (Character.isLetterOrDigit(line.charAt(end)) || line.charAt(end) == '_')) {
                end++;
            }
            CodeLanguage marked = end > at ? MARKS.get(line.substring(at, end)) : null;
            boolean isStatement = marked == PYTHON && last == ';'; // words such as `import` are in other languages too
            if (marked != null) {
                counts[(isStatement ? JAVA : marked).ordinal()] += 2;
            }
            at = Math.max(end, at + 1);
        }
    }
}
