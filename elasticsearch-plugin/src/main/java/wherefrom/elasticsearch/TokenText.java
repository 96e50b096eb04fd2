package wherefrom.elasticsearch;

import java.io.IOException;
import java.util.Arrays;

/** The characters of the token that a lexer is reading, taken from the source. */
final class TokenText {
    /** The highest number of characters in a token: a longer one would not fit into an index if nothing winnowed it. */
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

    /** A buffer whose first {@link #length} characters are the token. */
    char[] characters() {
        return characters;
    }

    int length() {
        return length;
    }

    /** Whether {@code count} more characters fit into the token. */
    boolean hasRoom(int count) {
        return length + count <= LONGEST;
    }

    /** Takes {@code count} characters from the source, or fewer if the text ends. There has to be room for them. */
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

    /** Removes the white space at the end of the token, but not its first character. */
    void trim() {
        while (length > 1 && characters[length - 1] <= ' ') {
            length--;
        }
    }

    /** Whether the token has exactly these characters. */
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

    /** The first character of the token. */
    char first() {
        return characters[0];
    }

    /** Returns the token, or an empty text if the token has more than {@code most} characters. */
    String upTo(int most) {
        return length <= most ? new String(characters, 0, length) : "";
    }
}
