package wherefrom.elasticsearch;

import java.io.IOException;
import java.util.Arrays;

/** The characters of the token that a lexer reads: what it takes from the source. */
final class TokenText {
    /** Characters of a token; a longer one would not fit into an index if nothing winnowed it. */
    static final int LONGEST = 10_922;

    final Source source;

    private char[] characters = new char[256];
    private int length;

    TokenText(Source source) {
        this.source = source;
    }

    /** Begins a token. */
    void clear() {
        length = 0;
    }

    /** The first {@link #length} of these. */
    char[] characters() {
        return characters;
    }

    int length() {
        return length;
    }

    /** Whether so many characters have room. */
    boolean hasRoom(int count) {
        return length + count <= LONGEST;
    }

    /** Takes so many characters, fewer where the text ends; they must have room. */
    void take(int count) throws IOException {
        for (int taken = 0; taken < count; taken++) {
            int character = source.peek();
            if (character == Source.END) {
                return;
            }
            if (length == characters.length) {
                characters = Arrays.copyOf(characters, Math.min(2 * length, LONGEST));
            }
            characters[length++] = (char) character;
            source.skip(1);
        }
    }

    /** Gives up the blanks at its end, but not its first character. */
    void trim() {
        while (length > 1 && characters[length - 1] <= ' ') {
            length--;
        }
    }

    /** Whether these are its characters. */
    boolean is(String other) {
        if (length != other.length()) {
            return false;
        }
        for (int at = 0; at < length; at++) {
            if (characters[at] != other.charAt(at)) {
                return false;
            }
        }
        return true;
    }

    /** Its first character. */
    char first() {
        return characters[0];
    }

    /** All of it, or nothing of one that is longer than this. */
    String upTo(int most) {
        return length <= most ? new String(characters, 0, length) : "";
    }
}
