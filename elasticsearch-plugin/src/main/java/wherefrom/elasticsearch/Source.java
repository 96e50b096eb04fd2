package wherefrom.elasticsearch;

import java.io.IOException;
import java.io.Reader;
import java.util.Arrays;

/**
 * Reads the characters of a text one by one, and lets a lexer look ahead. The buffer begins small and grows when a
 * lexer looks farther: a server makes an analyzer of each kind for every index, and most of these never see a text.
 */
class Source {
    /** Returned in place of a character at the end of the text. */
    static final int END = -1;

    private static final int SMALLEST = 1 << 9;

    /** The farthest that a caller may look ahead, in characters. */
    static final int AHEAD = 1 << 12;

    private char[] buffer = new char[SMALLEST];
    private Reader reader;
    private int at;
    private int limit;
    private int dropped;
    private boolean isEnded;

    /**
     * Begins a text.
     *
     * @param text the input of a tokenizer, which may be a reader that throws until a text is set
     */
    Source(Reader text) {
        reset(text);
    }

    /** Begins another text. */
    final void reset(Reader text) {
        reader = text;
        at = limit = dropped = 0;
        isEnded = false;
    }

    /** The offset of the character that is read next, from 0. */
    int offset() {
        return dropped + at;
    }

    /** The next character, or {@link #END} behind the last one. */
    int peek() throws IOException {
        return peek(0);
    }

    /** The character {@code ahead} places behind the next one, or {@link #END}; at most {@link #AHEAD}. */
    int peek(int ahead) throws IOException {
        if (at + ahead >= limit && !isEnded) {
            fill(ahead);
        }
        return at + ahead < limit ? buffer[at + ahead] : END;
    }

    /** The next code point, or {@link #END} behind the last one. */
    int peekPoint() throws IOException {
        int first = peek(0);
        if (first == END || !Character.isHighSurrogate((char) first)) {
            return first;
        }
        int second = peek(1);
        boolean isPair = second != END && Character.isLowSurrogate((char) second);
        return isPair ? Character.toCodePoint((char) first, (char) second) : first;
    }

    /** Goes on by {@code count} characters. All of them have to be peeked at before. */
    void skip(int count) {
        at += count;
    }

    /** Whether the text goes on with these characters. */
    boolean isNext(String text) throws IOException {
        for (int place = 0; place < text.length(); place++) {
            if (peek(place) != text.charAt(place)) {
                return false;
            }
        }
        return true;
    }

    /** The next {@link #AHEAD} characters, or fewer at the end of the text. */
    String next() throws IOException {
        peek(AHEAD);
        return new String(buffer, at, Math.min(limit - at, AHEAD));
    }

    /** Reads on until the character {@code ahead} places behind the next one is in the buffer. */
    private void fill(int ahead) throws IOException {
        System.arraycopy(buffer, at, buffer, 0, limit - at);
        dropped += at;
        limit -= at;
        at = 0;
        while (limit <= ahead && !isEnded) {
            if (limit == buffer.length) {
                buffer = Arrays.copyOf(buffer, 2 * buffer.length);
            }
            int read = reader.read(buffer, limit, buffer.length - limit);
            if (read < 0) {
                isEnded = true;
            } else {
                limit += read;
            }
        }
    }
}
