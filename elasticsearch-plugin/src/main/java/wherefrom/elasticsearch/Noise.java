package wherefrom.elasticsearch;

import java.util.BitSet;
import java.util.Set;

/**
 * What formatters add and take away, as {@code wherefrom/analyzers/noise.py} defines it: trailing commas, semicolons,
 * parentheses that only group. A parenthesis that is never closed is told from others there, and not here.
 */
final class Noise {
    /** How deep parentheses are nested at most: deeper ones count as parentheses of calls. */
    private static final int DEEPEST = 1 << 12;

    private static final Set<String> JAVASCRIPT_CALLS =
            Set.of("if", "while", "for", "switch", "catch", "with", "function", "super", "import");

    private final boolean hasSemicolons;
    private final boolean hasCommas;
    private final boolean hasGroups;
    private final Set<String> calls;

    private final BitSet groups = new BitSet();
    private int depth;
    private boolean isBehindCall;

    Noise(CodeLanguage language) {
        hasGroups = language == CodeLanguage.PYTHON || language == CodeLanguage.JAVASCRIPT;
        hasSemicolons = language == CodeLanguage.PYTHON;
        hasCommas = language != CodeLanguage.SHELL;
        calls = language == CodeLanguage.JAVASCRIPT ? JAVASCRIPT_CALLS : Set.of("import", "for", ",", "(", "[", "{");
    }

    /** Begins a text. */
    void reset() {
        groups.clear();
        depth = 0;
        isBehindCall = true;
    }

    /**
     * Whether a token is noise; it is asked of every token in turn.
     *
     * @param kind of the token
     * @param text of a symbol, as far as that matters; else anything
     * @param next the text of the symbol behind it, empty where none is there
     */
    boolean isNoise(TokenKind kind, String text, String next) {
        boolean wasBehindCall = isBehindCall;
        boolean isSymbol = kind == TokenKind.SYMBOL;
        isBehindCall = !isSymbol || text.equals(")") || text.equals("]") || text.equals("}") || calls.contains(text);
        if (!isSymbol) {
            return false;
        }
        return switch (text) {
            case ";" -> hasSemicolons;
            case "," -> hasCommas && (next.equals(")") || next.equals("]") || next.equals("}") || next.equals(">"));
            case "(" -> {
                boolean isGroup = hasGroups && !wasBehindCall && !next.equals(")") && depth < DEEPEST;
                groups.set(Math.min(depth, DEEPEST), isGroup);
                depth++;
                yield isGroup;
            }
            case ")" -> {
                if (depth == 0) {
                    yield false;
                }
                depth--;
                yield groups.get(Math.min(depth, DEEPEST)) && depth < DEEPEST;
            }
            default -> false;
        };
    }
}
