package wherefrom.elasticsearch;

import java.io.IOException;

/** Reads a string literal, which may have code with literals of its own in it; one that is long in several pieces. */
final class LiteralReader {
    /** How deep literals in code in literals are told apart. */
    private static final int NESTED = 64;

    /** What is open: text, or a quoted text inside code; from 0 on it is code, and the number of its open brackets. */
    private static final int TEXT = -1;

    private static final int SINGLE = -2;
    private static final int DOUBLE = -3;

    /**
     * What a literal looks like.
     *
     * @param quote its quotation mark
     * @param isTriple whether there are three of them
     * @param isRaw whether a backslash means nothing
     * @param hasLines whether it goes on behind the end of a line
     * @param code what comes before code in it: {@code "{"}, <code>"${"</code>, {@code "$("}; empty where it holds no code
     * @param closing what ends it, null where its quotation marks do
     */
    record Style(int quote, boolean isTriple, boolean isRaw, boolean hasLines, String code, String closing) {
        static Style onOneLine(int quote) {
            return new Style(quote, false, false, false, "", null);
        }
    }

    private final TokenText text;
    private final Source source;
    private final int[] nested = new int[NESTED];
    private Style style;
    private int depth;
    private boolean isOpen;

    LiteralReader(TokenText text) {
        this.text = text;
        this.source = text.source;
    }

    /** Forgets the one that is open. */
    void reset() {
        isOpen = false;
    }

    /** Whether a piece of a literal comes next. */
    boolean isOpen() {
        return isOpen;
    }

    /** Begins a literal at its quotation mark, and reads it, as far as a token reaches. */
    void begin(Style literal) throws IOException {
        style = literal;
        depth = 0;
        nested[0] = TEXT;
        isOpen = true;
        text.take(literal.isTriple ? 3 : 1);
        read();
    }

    /** Reads on. */
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
            } else if (nested[depth] == TEXT) {
                inText(character);
            } else {
                inCode(character);
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
            text.take(1); // the rest of the mark is read as code, which does no harm
            isOpen = false;
        }
    }

    private void inText(int character) throws IOException {
        if (character == style.quote && isEnd()) {
            text.take(style.isTriple ? 3 : 1);
            isOpen = depth > 0;
            depth = Math.max(depth - 1, 0);
        } else if (style.code.equals("{") && source.isNext("{{")) {
            text.take(2);
        } else if (!style.code.isEmpty() && source.isNext(style.code)) {
            text.take(style.code.length());
            open(0);
        } else {
            text.take(1);
        }
    }

    private boolean isEnd() throws IOException {
        return !style.isTriple || source.peek(1) == style.quote && source.peek(2) == style.quote;
    }

    private void inCode(int character) throws IOException {
        int top = nested[depth];
        text.take(1);
        if (top == SINGLE || top == DOUBLE) {
            if (character == (top == SINGLE ? '\'' : '"') || character == '\n') {
                depth--;
            }
            return;
        }
        char opening = style.code.charAt(style.code.length() - 1);
        if (character == opening) {
            nested[depth]++;
        } else if (character == (opening == '(' ? ')' : '}')) {
            if (nested[depth]-- == 0) {
                depth--;
            }
        } else if (character == '\'' || character == '"') {
            open(character == '\'' ? SINGLE : DOUBLE);
        } else if (character == style.quote) {
            open(TEXT);
        }
    }

    private void open(int what) {
        if (depth < NESTED - 1) {
            nested[++depth] = what;
        }
    }
}
