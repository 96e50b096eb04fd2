package wherefrom.elasticsearch;

import java.io.IOException;

/**
 * Reads the text of a string literal, in several pieces if it is long. The text stops where code in the string begins;
 * the lexer then reads that code.
 */
final class LiteralReader {
    /** The highest number of nested literals with code in them. Deeper code is read as text. */
    private static final int NESTED = 64;

    /**
     * What a literal looks like.
     *
     * @param quote its quotation mark; {@link Source#END} if it ends before a closing brace
     * @param isTriple whether it begins and ends with three quotation marks
     * @param isRaw whether a backslash means nothing
     * @param hasLines whether it may go over several lines
     * @param code what code in it begins with: <code>"{"</code>, <code>"${"</code>, or {@code "$"} for all forms of a
     *     shell; empty if it has no code
     * @param closing the text that ends it; null if its quotation marks end it
     */
    record Style(int quote, boolean isTriple, boolean isRaw, boolean hasLines, String code, String closing) {
        /** The format of a field in an f-string, such as {@code :.2f}. */
        static final Style FORMAT = new Style(Source.END, false, true, false, "{", null);
    }

    private final TokenText text;
    private final Source source;

    // For each level of nested code: the literal around it, what ends it, and the number of open brackets in it.
    private final Style[] outer = new Style[NESTED];
    private final String[] ends = new String[NESTED];
    private final int[] brackets = new int[NESTED];
    private int depth;

    private Style style;
    private boolean isOpen;
    private boolean isWord;

    LiteralReader(TokenText text) {
        this.text = text;
        this.source = text.source;
    }

    /** Forgets all open literals. */
    void reset() {
        isOpen = isWord = false;
        depth = 0;
    }

    /** Whether the next characters are text of a literal, or the beginning of code in it. */
    boolean isOpen() {
        return isOpen;
    }

    /** Whether the next characters are code in a literal, or the end of that code. */
    boolean isInCode() {
        return depth > 0 && !isOpen;
    }

    /** Whether the name of a variable comes next. The call resets this. */
    boolean isWord() {
        boolean was = isWord;
        isWord = false;
        return was;
    }

    /** Begins a literal at its quotation mark, and reads its first piece. */
    void begin(Style literal) throws IOException {
        style = literal;
        isOpen = true;
        text.take(literal.isTriple ? 3 : 1);
        read();
    }

    /** Skips the white space before a piece. */
    void skipBlanks() throws IOException {
        while (source.peek() != Source.END && source.peek() <= ' ' && (style.hasLines || source.peek() != '\n')) {
            source.skip(1);
        }
    }

    /** Reads on, until the literal ends, code begins, or the token is full. */
    void read() throws IOException {
        while (isOpen && text.hasRoom(4)) {
            int character = source.peek();
            if (character == Source.END || character == '\n' && !style.hasLines) {
                isOpen = false;
                text.trim();
            } else if (style.closing != null) {
                inRawText();
            } else if (character == '\\' && !style.isRaw) {
                text.take(source.peek(1) == '\r' && source.peek(2) == '\n' ? 3 : 2);
            } else if (isEnd(character)) {
                text.take(style.quote == Source.END ? 0 : style.isTriple ? 3 : 1);
                isOpen = false;
            } else if (style.code.equals("{") && source.isNext("{{")) {
                text.take(2);
            } else if (code() > 0) {
                text.trim();
                return;
            } else {
                text.take(1);
            }
        }
    }

    private void inRawText() throws IOException {
        boolean isEnd = source.isNext(style.closing);
        if (!isEnd) {
            text.take(1);
        } else if (text.hasRoom(style.closing.length())) {
            text.take(style.closing.length());
            isOpen = false;
        } else {
            text.take(1); // the token is full; the rest of the mark is read as code, which does no harm
            isOpen = false;
        }
    }

    private boolean isEnd(int character) throws IOException {
        if (style.quote == Source.END) {
            return character == '}';
        }
        return character == style.quote
                && (!style.isTriple || source.peek(1) == style.quote && source.peek(2) == style.quote);
    }

    /** Returns the length of the mark that begins code, or 0 if none comes next. */
    private int code() throws IOException {
        if (style.code.isEmpty() || depth == NESTED || !style.code.equals("$")) {
            return !style.code.isEmpty() && depth < NESTED && source.isNext(style.code) ? style.code.length() : 0;
        }
        if (source.peek() == '`') {
            return 1;
        }
        if (source.peek() != '$') {
            return 0;
        }
        int next = source.peek(1);
        if (next == '(') {
            return source.peek(2) == '(' ? 3 : 2;
        }
        boolean isName = next == '_' || next < 128 && Character.isLetterOrDigit(next) || next > 0 && "@*#?$!-".indexOf(next) >= 0;
        return next == '{' ? 2 : isName ? 1 : 0;
    }

    /** Takes the mark that begins code. */
    void openCode() throws IOException {
        int size = code();
        text.take(size);
        if (style.code.equals("$") && text.is("$")) {
            isWord = true;
            return;
        }
        outer[depth] = style;
        ends[depth] = text.is("$((") ? "))" : text.is("$(") ? ")" : text.is("`") ? "`" : "}";
        brackets[depth++] = 0;
        isOpen = false;
    }

    /** If the mark that ends the code comes next, takes it. Returns whether it did. */
    boolean closeCode() throws IOException {
        if (brackets[depth - 1] > 0 || !source.isNext(ends[depth - 1])) {
            return false;
        }
        text.take(ends[depth - 1].length());
        style = outer[--depth];
        isOpen = true;
        return true;
    }

    /** Whether the next character is a closing bracket inside the code, which does not end it. */
    boolean isInnerEnd() throws IOException {
        return source.peek() == ends[depth - 1].charAt(0) && brackets[depth - 1] > 0;
    }

    /** Updates the number of open brackets after a symbol of the code. */
    void count() {
        char closing = ends[depth - 1].charAt(0);
        char opening = closing == ')' ? '(' : closing == '}' ? '{' : 0;
        for (int at = 0; at < text.length(); at++) {
            char character = text.characters()[at];
            brackets[depth - 1] += character == opening ? 1 : character == closing ? -1 : 0;
        }
        brackets[depth - 1] = Math.max(brackets[depth - 1], 0);
    }

    /** Whether the next characters are code in a field of an f-string. */
    boolean isField() {
        return depth > 0 && !isOpen && outer[depth - 1].code.equals("{");
    }
}
