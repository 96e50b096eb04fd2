package wherefrom.elasticsearch;

import java.util.Locale;

/** The letters and digits of prose and their codes: {@code wherefrom/analyzers/textual.py} once more. */
final class Characters {
    /** The value of a character that is not a token, in place of a code. */
    static final long NONE = -1;

    private static final long[] ASCII = new long[128];

    static {
        for (int point = 0; point < ASCII.length; point++) {
            ASCII[point] = compute(point);
        }
    }

    private static final int CACHED = 1 << 12;

    /** Code points beyond ASCII, each at a place that it shares with others, and their codes; made for the first one. */
    private int[] points;

    private long[] codes;

    /** The token code of a character in lower case, {@link #NONE} where it is neither a letter nor a digit. */
    long code(int point) {
        if (point < ASCII.length) {
            return ASCII[point];
        }
        if (points == null) {
            points = new int[CACHED];
            codes = new long[CACHED];
        }
        int place = point & CACHED - 1;
        if (points[place] != point) {
            codes[place] = compute(point);
            points[place] = point;
        }
        return codes[place];
    }

    private static long compute(int point) {
        return isToken(point) ? Hashing.tokenCode(Character.toString(point).toLowerCase(Locale.ROOT)) : NONE;
    }

    /** Whether a character is a letter or a digit, of any script. */
    static boolean isToken(int point) {
        return switch (Character.getType(point)) {
            case Character.UPPERCASE_LETTER,
                    Character.LOWERCASE_LETTER,
                    Character.TITLECASE_LETTER,
                    Character.MODIFIER_LETTER,
                    Character.OTHER_LETTER,
                    Character.DECIMAL_DIGIT_NUMBER,
                    Character.LETTER_NUMBER,
                    Character.OTHER_NUMBER -> true;
            default -> false;
        };
    }
}
