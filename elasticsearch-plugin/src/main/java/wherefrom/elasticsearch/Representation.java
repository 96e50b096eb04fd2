package wherefrom.elasticsearch;

import java.util.Locale;

/** What a token is turned into before hashing, with k and w of the client's scheme. */
enum Representation {
    /** A token is written as its text. */
    EXACT(8, 8),
    /** Names are written as their distance, but those of members and calls; literals as their class. */
    RENAMED(8, 8),
    /** As {@link #RENAMED}, but every name is a distance. */
    P_MATCH(12, 13),
    /** The letters and digits of prose, lower-cased, one by one. */
    TEXT(16, 48);

    /** Tokens in a k-gram; in {@link #TEXT} characters. */
    final int k;

    /** Hashes of which one is kept. */
    final int w;

    Representation(int k, int w) {
        this.k = k;
        this.w = w;
    }

    /** As the settings write it. */
    String title() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Tokens of the s-grams by which {@link Sampling#OPEN_CLOSED} orders k-grams of this length. */
    int inner(int k) {
        return Math.min(this == TEXT ? 4 : 2, k);
    }

    /** Whether names are written as distances. */
    boolean hasDistances() {
        return this == RENAMED || this == P_MATCH;
    }
}
