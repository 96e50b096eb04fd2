package wherefrom.elasticsearch;

import java.util.BitSet;
import java.util.Set;

/**
 * Finds what formatters add and remove, as {@code wherefrom/analyzers/noise.py} defines it: trailing commas,
 * semicolons, parentheses that only group. Unlike there, a parenthesis that is never closed counts like others.
 */
final class Noise {
    /** The highest depth at which parentheses may group; deeper ones count as those of calls. */
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
     * Whether a token is noise. Has to be called for every token in order.
     *
     * @param kind the kind of the token
     * @param text the text of a short symbol; ignored for other tokens
     * @param next the text of the next token if that is a symbol, or else empty
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
