package wherefrom.elasticsearch;

import java.util.Arrays;

/** The values of literals, as {@code wherefrom/analyzers/parsing.py} defines them; these are hashed, not the texts. */
final class Values {
    /** A way to write strings, as {@code languages.language.Quote} defines it. */
    private record Quote(String mark, String escapes, char same) {}

    /** A literal with fewer characters than this is one token. */
    private static final int LONGEST = TokenText.LONGEST - 4;

    private static final String ESCAPES = "abefnrtvxuU01234567\\'\"\n";
    private static final String LETTERS = "abefnrtv";
    private static final String MEANINGS = "\u0007\b\u001b\f\n\r\t\u000b";

    private final Quote[] quotes;
    private final String plain;
    private final String raw;
    private final String kept;

    private char[] value = new char[256];
    private int length;

    private Values(String plain, String raw, String kept, Quote... quotes) {
        this.quotes = quotes;
        this.plain = plain;
        this.raw = raw;
        this.kept = kept;
    }

    /** Makes the values of a language. An object reads one text at a time. */
    static Values of(CodeLanguage language) {
        Quote character = new Quote("'", ESCAPES, '\'');
        Quote string = new Quote("\"", ESCAPES, '"');
        return switch (language) {
            case C -> new Values("", "", "LuU8", string, character);
            case CPP -> new Values("", "R", "LuU8", string, character);
            case JAVA -> new Values("", "", "", new Quote("\"\"\"", ESCAPES, '"'), string, new Quote("`", "", '"'), character);
            case JAVASCRIPT -> {
                String escapes = ESCAPES + "`$/";
                yield new Values(
                        "", "", "", new Quote("\"", escapes, '"'), new Quote("'", escapes, '"'), new Quote("`", escapes, '"'));
            }
            case PYTHON -> {
                String escapes = ESCAPES.replace("e", "");
                Quote[] all = Arrays.stream(new String[] {"\"\"\"", "'''", "\"", "'"})
                        .map(mark -> new Quote(mark, escapes, '"'))
                        .toArray(Quote[]::new);
                yield new Values("uUfFtT", "rR", "bB", all);
            }
            case SHELL -> new Values("", "", "$", new Quote("'", "", '"'), new Quote("\"", "\"$`\\\n", '"'));
        };
    }

    /** A buffer whose first {@link #length} characters are the value that was read last. */
    char[] characters() {
        return value;
    }

    /** The number of characters in the value; 0 for a piece of a string that is only a quotation mark. */
    int length() {
        return length;
    }

    /** Reads the value of a token: its text, unless the token is a whole literal. */
    void read(char[] text, int size, TokenKind kind) {
        length = 0;
        boolean isWhole = size < LONGEST;
        if (kind == TokenKind.STRING && isWhole) {
            string(text, size);
        } else if (kind == TokenKind.NUMBER && isWhole) {
            number(text, size);
        } else {
            add(text, 0, size);
        }
    }

    private void number(char[] text, int size) {
        for (int at = 0; at < size; at++) {
            char character = text[at];
            if (character != '_' && character != '\'') {
                add(character >= 'A' && character <= 'Z' ? (char) (character + 32) : character);
            }
        }
        if (length > 1 && value[0] == '0' && "xbo".indexOf(value[1]) >= 0) {
            return;
        }
        int kept = 0;
        for (int at = 0; at < length; at++) {
            if (value[at] != '+' || at == 0 || value[at - 1] != 'e') {
                value[kept++] = value[at];
            }
        }
        length = kept;
        int sign = length > 0 && (value[0] == '-' || value[0] == '+') ? 1 : 0;
        int point = digits(sign);
        if (point == length || value[point] != '.') {
            return;
        }
        int end = digits(point + 1);
        int fraction = end;
        while (fraction > point + 1 && value[fraction - 1] == '0') {
            fraction--;
        }
        System.arraycopy(value, end, value, fraction, length - end);
        length -= end - fraction;
        if (point == sign) {
            add('0');
            System.arraycopy(value, sign, value, sign + 1, length - 1 - sign);
            value[sign] = '0';
        }
    }

    private int digits(int from) {
        int at = from;
        while (at < length && value[at] >= '0' && value[at] <= '9') {
            at++;
        }
        return at;
    }

    private void string(char[] text, int size) {
        int begin = 0;
        while (begin < size && isPrefix(text[begin])) {
            begin++;
        }
        Quote opening = null;
        for (Quote quote : quotes) {
            if (opening == null && isAt(text, size, begin, quote.mark)) {
                opening = quote;
            }
        }
        int prefix = opening == null ? 0 : begin;
        begin = opening == null ? 0 : begin + opening.mark.length();
        Quote closing = null;
        for (Quote quote : quotes) {
            int from = size - quote.mark.length();
            if (closing == null && (opening == null || quote == opening) && from >= begin && isAt(text, size, from, quote.mark)) {
                closing = quote;
            }
        }
        Quote quote = opening != null ? opening : closing;
        if (quote == null) {
            add(text, 0, size);
            return;
        }
        int end = closing == null ? size : size - quote.mark.length();
        if (begin == end && (opening == null || closing == null)) {
            return;
        }
        boolean isRaw = false;
        for (int at = 0; at < prefix; at++) {
            isRaw |= raw.indexOf(text[at]) >= 0;
            if (kept.indexOf(text[at]) >= 0) {
                add(text[at]);
            }
        }
        add(quote.same);
        int first = length;
        content(text, begin, end, isRaw ? "" : quote.escapes);
        if (quote.mark.length() > 1) {
            trimLines(first);
        }
        add(quote.same);
    }

    private boolean isPrefix(char character) {
        return plain.indexOf(character) >= 0 || raw.indexOf(character) >= 0 || kept.indexOf(character) >= 0;
    }

    private static boolean isAt(char[] text, int size, int begin, String mark) {
        if (begin < 0 || begin + mark.length() > size) {
            return false;
        }
        for (int at = 0; at < mark.length(); at++) {
            if (text[begin + at] != mark.charAt(at)) {
                return false;
            }
        }
        return true;
    }

    private void content(char[] text, int begin, int end, String escapes) {
        int at = begin;
        while (at < end) {
            if (text[at] != '\\' || escapes.isEmpty() || at + 1 == end) {
                add(text[at++]);
                continue;
            }
            char letter = text[at + 1];
            int size = escapeLength(text, at, end);
            if (escapes.indexOf(letter) < 0) {
                add(text, at, size);
            } else if (size > 2 || letter >= '0' && letter <= '7') {
                addNumbered(text, at, size);
            } else if (LETTERS.indexOf(letter) >= 0) {
                add(MEANINGS.charAt(LETTERS.indexOf(letter)));
            } else if (letter != '\n') {
                add(letter);
            }
            at += size;
        }
    }

    /** Returns the length of the escape at {@code at}. Only a numeric escape has more than two characters. */
    private static int escapeLength(char[] text, int at, int end) {
        char letter = text[at + 1];
        int from = at + 2;
        if (letter == 'x') {
            return 2 + run(text, from, Math.min(from + 2, end), 16);
        }
        if (letter == 'u' && run(text, from, Math.min(from + 4, end), 16) == 4) {
            return 6;
        }
        if (letter == 'u' && from < end && text[from] == '{') {
            int count = run(text, from + 1, Math.min(from + 7, end), 16);
            return count > 0 && from + 1 + count < end && text[from + 1 + count] == '}' ? 4 + count : 2;
        }
        if (letter == 'U' && run(text, from, Math.min(from + 8, end), 16) == 8) {
            return 10;
        }
        return letter >= '0' && letter <= '7' ? 1 + run(text, at + 1, Math.min(at + 4, end), 8) : 2;
    }

    private static int run(char[] text, int begin, int end, int radix) {
        int at = begin;
        while (at < end && text[at] < 128 && Character.digit(text[at], radix) >= 0) {
            at++;
        }
        return at - begin;
    }

    private void addNumbered(char[] text, int at, int size) {
        boolean isOctal = text[at + 1] >= '0' && text[at + 1] <= '7';
        long point = 0;
        for (int digit = at + (isOctal ? 1 : 2); digit < at + size; digit++) {
            int found = Character.digit(text[digit], isOctal ? 8 : 16);
            point = found < 0 ? point : point * (isOctal ? 8 : 16) + found;
        }
        if (point > Character.MAX_CODE_POINT) {
            add(text, at, size);
        } else if (point > Character.MAX_VALUE) {
            add(Character.highSurrogate((int) point));
            add(Character.lowSurrogate((int) point));
        } else {
            add((char) point);
        }
    }

    /** Removes the indentation of the lines from {@code first} on, and the white space around all of them. */
    private void trimLines(int first) {
        int kept = first;
        boolean isLineStart = false;
        for (int at = first; at < length; at++) {
            char character = value[at];
            if (character == '\n') {
                if (!isLineStart) {
                    value[kept++] = character;
                }
                isLineStart = true;
            } else if (!isLineStart || character > ' ') {
                value[kept++] = character;
                isLineStart = false;
            }
        }
        length = kept;
        while (length > first && isBlank(value[length - 1])) {
            length--;
        }
        int begin = first;
        while (begin < length && isBlank(value[begin])) {
            begin++;
        }
        System.arraycopy(value, begin, value, first, length - begin);
        length -= begin - first;
    }

    private static boolean isBlank(char character) {
        return character == ' ' || character == '\t' || character == '\n';
    }

    private void add(char[] text, int begin, int count) {
        for (int at = begin; at < begin + count; at++) {
            add(text[at]);
        }
    }

    private void add(char character) {
        if (length == value.length) {
            value = Arrays.copyOf(value, 2 * length);
        }
        value[length++] = character;
    }
}
