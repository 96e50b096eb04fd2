package wherefrom.elasticsearch;

import java.util.Locale;

/**
 * How tokens are winnowed: the settings of a filter or an analyzer, checked.
 *
 * @param representation what a token is turned into
 * @param k tokens in a k-gram
 * @param w hashes of which one is kept
 * @param sampling the rule that keeps hashes
 * @param isUnique whether a term that occurs again is left out
 */
record Winnowing(Representation representation, int k, int w, Sampling sampling, boolean isUnique) {
    /** The greatest k where names are written as distances: the scheme has codes for so many. */
    static final int MOST_DISTANCES = 64;

    static final int MOST_K = 1_024;
    static final int MOST_W = 4_096;

    /** What the index is made with. */
    static Winnowing ofIndex(Representation representation) {
        return new Winnowing(representation, representation.k, representation.w, Sampling.OPEN_CLOSED, false);
    }

    /** What a query is made with: half as many terms, each of them once. */
    static Winnowing ofSearch(Representation representation) {
        return new Winnowing(representation, representation.k, 2 * representation.w, Sampling.OPEN_CLOSED, true);
    }

    /**
     * These settings where they are given, else the defaults.
     *
     * @param isSearch whether the defaults are those of a query
     * @param usual the representation where none is given
     * @throws IllegalArgumentException a setting is wrong; the message names it
     */
    static Winnowing of(WinnowSettings settings, Representation usual, boolean isSearch) {
        Representation representation = representation(settings.representation(), usual);
        Winnowing defaults = isSearch ? ofSearch(representation) : ofIndex(representation);
        int mostK = representation.hasDistances() ? MOST_DISTANCES : MOST_K;
        return new Winnowing(
                representation,
                number("k", settings.k(), defaults.k, mostK),
                number("w", settings.w(), defaults.w, MOST_W),
                Sampling.of(settings.sampler()),
                choice("unique", settings.unique(), "true", "false", defaults.isUnique));
    }

    private static Representation representation(String given, Representation usual) {
        if (given.isEmpty()) {
            return usual;
        }
        for (Representation representation : Representation.values()) {
            if (representation.title().equals(given)) {
                return representation;
            }
        }
        throw wrong("representation", "exact, renamed, p_match or text", given);
    }

    private static int number(String name, String given, int usual, int most) {
        if (given.isEmpty()) {
            return usual;
        }
        try {
            int number = Integer.parseInt(given);
            if (number >= 1 && number <= most) {
                return number;
            }
        } catch (NumberFormatException error) {
            // said below
        }
        throw wrong(name, String.format(Locale.ROOT, "a whole number from 1 to %d", most), given);
    }

    private static boolean choice(String name, String given, String yes, String no, boolean usual) {
        if (given.isEmpty()) {
            return usual;
        }
        if (!given.equals(yes) && !given.equals(no)) {
            throw wrong(name, yes + " or " + no, given);
        }
        return given.equals(yes);
    }

    /** The error of a wrong setting, in one sentence. */
    static IllegalArgumentException wrong(String name, String what, String given) {
        String shown = given.length() <= 50 ? given : given.substring(0, 50) + "...";
        return new IllegalArgumentException("the setting [" + name + "] must be " + what + ", not [" + shown + "]");
    }
}
