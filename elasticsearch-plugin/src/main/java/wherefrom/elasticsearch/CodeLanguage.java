package wherefrom.elasticsearch;

import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** What the lexer knows of a language; one that is not here is read as the one that is most like it. */
enum CodeLanguage {
    /** C, C++, Objective-C. */
    C(
            """
            <<= >>= ... ->* <=> -> ++ -- << >> <= >= == != && || += -= *= /= %= &= ^= |= :: ##
            """,
            """
            _Alignas _Alignof _Atomic _Generic _Noreturn alignas alignof asm auto bool break case char char16_t char32_t
            char64_t char8_t const constexpr continue default defined define do double elif elifdef elifndef else endif enum
            extern false float for goto if ifdef ifndef include inline int int16_t int32_t int64_t int8_t intptr_t long
            max_align_t noreturn NULL nullptr nullptr_t offsetof ptrdiff_t register restrict return short signed size_t
            sizeof ssize_t static struct switch thread_local true typedef uint16_t uint32_t uint64_t uint8_t uintptr_t union
            unsigned void volatile while __alignof __alignof__ __asm __asm__ __attribute __attribute__ __based __cdecl
            __clrcall __declspec __except __extension__ __fastcall __finally __forceinline __inline __inline__ __leave
            __restrict__ __stdcall __thiscall __thread __try __unaligned __vectorcall __volatile__ _alignof _unaligned
            """),

    /** Java, and other languages with braces. */
    JAVA(
            """
            >>>= <<= >>= >>> ... -> => :: ?. ?? ++ -- << >> <= >= == != && || += -= *= /= %= &= ^= |= := ** ..
            """,
            """
            abstract assert boolean break byte case catch char class continue default do double else enum exports extends
            false final finally float for goto if implements import instanceof int interface long module native new null
            opens package permits private protected provides public record requires return sealed short static strictfp
            super switch synchronized this throw throws to transient transitive true try uses void volatile when while with
            yield non-sealed @interface
            """),

    /** JavaScript and TypeScript. */
    JAVASCRIPT(
            """
            >>>= ... === !== **= <<= >>= >>> &&= ||= ??= => ?. ?? ** ++ -- << >> <= >= == != && || += -= *= /= %= &= ^= |=
            </ />
            """,
            """
            as async await break case catch class const continue debugger default delete do else export extends false
            finally for from function get if import in instanceof let meta new null of return set static super switch
            target this throw true try typeof undefined using var void while with yield
            """),

    /** Python. */
    PYTHON(
            """
            **= //= >>= <<= ... -> := ** // << >> <= >= == != <> += -= *= /= %= &= |= ^= @=
            """,
            """
            and as assert async await break case class continue def del elif else except False finally for from global if
            import in is lambda match None nonlocal not or pass raise return True try while with yield _
            """),

    /** The shells. */
    SHELL(
            """
            $(( ${ $( )) ;;& ;;  ;& &&  || &>> &> >& >> <<< <<- << <& <( >( [[ ]] == != =~ += |&
            """,
            "");

    /** Letters before the quotes of a string, in lower case. */
    private static final Set<String> PYTHON_PREFIXES =
            new HashSet<>(Arrays.asList("r", "b", "u", "f", "t", "br", "rb", "fr", "rf", "tr", "rt"));

    private static final Set<String> C_PREFIXES =
            new HashSet<>(Arrays.asList("L", "u", "U", "u8", "R", "LR", "uR", "UR", "u8R"));

    /** The longest first. */
    final String[] operators;

    final Set<String> keywords;

    CodeLanguage(String operators, String keywords) {
        this.operators = operators.strip().split("\\s+");
        this.keywords = new HashSet<>(Arrays.asList(keywords.strip().split("\\s+")));
    }

    /** Whether a word directly before a quote is a part of the string. */
    boolean isPrefix(String word) {
        return switch (this) {
            case PYTHON -> PYTHON_PREFIXES.contains(word.toLowerCase(java.util.Locale.ROOT));
            case C -> C_PREFIXES.contains(word);
            default -> false;
        };
    }

    /**
     * The language in the settings, null where it is guessed.
     *
     * @throws IllegalArgumentException there is none of that name
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
        throw Winnowing.wrong("language", "auto, c, java, javascript, python or shell", given);
    }

    private static final Map<String, CodeLanguage> MARKS = new HashMap<>();

    static {
        mark(
                C,
                """
                include define ifdef ifndef endif pragma undef struct typedef sizeof unsigned NULL size_t uint32_t uint8_t
                uint64_t extern goto template namespace std nullptr printf malloc const_cast static_cast inline union char
                """);
        mark(
                JAVA,
                """
                package public private protected final extends implements throws String Override boolean List Map interface
                abstract synchronized instanceof System func fn impl pub mut namespace using Integer Object Exception
                """);
        mark(
                JAVASCRIPT,
                """
                function const let var require exports module undefined typeof prototype document window async await export
                console JSON Promise
                """);
        mark(PYTHON, "def self elif None True False lambda except pass import from and or not is in raise with __init__");
        mark(SHELL, "fi done then esac echo local export elif sh bash sudo grep sed awk cd mkdir exit");
    }

    private static void mark(CodeLanguage language, String words) {
        for (String word : words.strip().split("\\s+")) {
            MARKS.putIfAbsent(word, language);
        }
    }

    /** The language of a text that begins like this. */
    static CodeLanguage guess(String beginning) {
        int[] counts = new int[values().length];
        int lineStart = 0;
        while (lineStart < beginning.length()) {
            int lineEnd = beginning.indexOf('\n', lineStart);
            lineEnd = lineEnd < 0 ? beginning.length() : lineEnd;
            countLine(beginning.substring(lineStart, lineEnd).strip(), lineStart == 0, counts);
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
        // Of a comment only says how it begins.
        if (line.startsWith("//") || line.startsWith("/*") || line.startsWith("*")) {
            counts[PYTHON.ordinal()] -= 1;
            counts[SHELL.ordinal()] -= 1;
            return;
        }
        boolean isDirective = line.charAt(0) == '#' && line.length() > 1 && line.charAt(1) != ' ';
        if (line.charAt(0) == '#' && !isDirective) {
            counts[PYTHON.ordinal()] += 1;
            counts[SHELL.ordinal()] += 1;
            return;
        }
        char last = line.charAt(line.length() - 1);
        if (last == ';' || last == '{' || last == '}') {
            counts[PYTHON.ordinal()] -= 2;
            counts[C.ordinal()] += last == ';' && !line.contains("=>") ? 1 : 0;
            counts[JAVA.ordinal()] += last == ';' ? 1 : 0;
            counts[JAVASCRIPT.ordinal()] += last == ';' ? 1 : 0;
        } else if (last == ':' || line.startsWith("@")) {
            counts[PYTHON.ordinal()] += 2;
        }
        if (line.contains("\"\"\"") || line.contains("self.")) {
            counts[PYTHON.ordinal()] += 3;
        }
        if (line.contains("->") || isDirective) {
            counts[C.ordinal()] += isDirective ? 3 : 1;
        }
        if (line.contains("===") || line.contains("=> ")) {
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
            if (marked != null) {
                counts[marked.ordinal()] += 2;
            }
            at = Math.max(end, at + 1);
        }
    }
}
