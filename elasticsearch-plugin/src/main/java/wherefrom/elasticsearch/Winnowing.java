package wherefrom.elasticsearch;

import java.util.Locale;

/**
 * How tokens are winnowed: the checked settings of a filter or an analyzer.
 *
 * @param representation how tokens are written before hashing
 * @param k the number of tokens in a k-gram
 * @param w the window: of this many hashes in a row, at least one is kept
 * @param sampling the rule by which hashes are kept
 * @param isUnique whether repeated terms are left out
 */
record Winnowing(Representation representation, int k, int w, Sampling sampling, boolean isUnique) {
    /** The greatest k if names are written as distances: the scheme has codes only for distances below this. */
    static final int MOST_DISTANCES = 64;

    static final int MOST_K = 1_024;
    static final int MOST_W = 4_096;

    /** The defaults for analyzing documents. */
    static Winnowing ofIndex(Representation representation) {
        return new Winnowing(representation, representation.k, representation.w, Sampling.OPEN_CLOSED, false);
    }

    /** The defaults for analyzing queries: half as many terms, each only once. */
    static Winnowing ofSearch(Representation representation) {
        return new Winnowing(representation, representation.k, 2 * representation.w, Sampling.OPEN_CLOSED, true);
    }

    /**
     * Checks settings, and fills in defaults for those that are not given.
     *
     * @param isSearch whether the defaults are those of a query
     * @param usual the representation if none is given
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
            // reported below
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

    /** Makes the error for a wrong setting; its message is one sentence. */
    static IllegalArgumentException wrong(String name, String what, String given) {
        String shown = given.length() <= 50 ? given : given.substring(0, 50) + "...";
        return new IllegalArgumentException("the setting [" + name + "] must be " + what + ", not [" + shown + "]");
    }
}
