package wherefrom.elasticsearch;

import java.util.Locale;

/** The letters and digits of prose and their codes, as {@code wherefrom/analyzers/insides.py} defines them. */
final class Characters {
    /** Given in place of a code for a character that is not a token. */
    static final long NONE = -1;

    private static final long[] ASCII = new long[128];

    static {
        for (int point = 0; point < ASCII.length; point++) {
            ASCII[point] = compute(point);
        }
    }

    private static final int CACHED = 1 << 12;

    /** The code points that the entries of {@link #codes} are for; a cache, made for the first one beyond ASCII. */
    private int[] points;

    private long[] codes;

    /** Returns the token code of a character in lower case, or {@link #NONE} if it is neither a letter nor a digit. */
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
