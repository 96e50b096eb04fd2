package wherefrom.elasticsearch;

import java.io.IOException;
import java.io.Reader;
import java.util.Arrays;

/**
 * The characters of a text, one by one and some ahead, in a buffer that grows as far as one looks ahead. It begins small: a
 * server makes an analyzer of each kind for every index, and most of them never see a text.
 */
class Source {
    /** The end of the text. */
    static final int END = -1;

    private static final int SMALLEST = 1 << 9;

    /** How far ahead of the character that is read one may look. */
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
     * @param text what a tokenizer has as its input, which throws before one is set
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

    /** The character that is read next, {@link #END} behind the last one. */
    int peek() throws IOException {
        return peek(0);
    }

    /** The character so far ahead of it, at most {@link #AHEAD}. */
    int peek(int ahead) throws IOException {
        if (at + ahead >= limit && !isEnded) {
            fill(ahead);
        }
        return at + ahead < limit ? buffer[at + ahead] : END;
    }

    /** The code point that is read next, {@link #END} behind the last one. */
    int peekPoint() throws IOException {
        int first = peek(0);
        if (first == END || !Character.isHighSurrogate((char) first)) {
            return first;
        }
        int second = peek(1);
        boolean isPair = second != END && Character.isLowSurrogate((char) second);
        return isPair ? Character.toCodePoint((char) first, (char) second) : first;
    }

    /** Goes on by so many characters, all of which were looked at. */
    void skip(int count) {
        at += count;
    }

    /** Whether these characters come next. */
    boolean isNext(String text) throws IOException {
        for (int place = 0; place < text.length(); place++) {
            if (peek(place) != text.charAt(place)) {
                return false;
            }
        }
        return true;
    }

    /** What comes next, as much of it as one may look at. */
    String next() throws IOException {
        peek(AHEAD);
        return new String(buffer, at, Math.min(limit - at, AHEAD));
    }

    /** Reads on, until the character so far ahead is there. */
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
