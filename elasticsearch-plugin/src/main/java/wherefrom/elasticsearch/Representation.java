package wherefrom.elasticsearch;

import java.util.Locale;

/** How tokens are written before hashing, with k and w of the client's scheme. */
enum Representation {
    /** A token is written as its text. */
    EXACT(8, 8),
    /** Names are written as distances, except those of members and calls; literals as their class. */
    RENAMED(8, 8),
    /** As {@link #RENAMED}, but every name is a distance. */
    P_MATCH(12, 13),
    /** The letters and digits of prose, lower-cased, one by one. */
    TEXT(16, 48);

    /** The number of tokens in a k-gram; for {@link #TEXT}, of characters. */
    final int k;

    /** The window: of this many hashes in a row, at least one is kept. */
    final int w;

    Representation(int k, int w) {
        this.k = k;
        this.w = w;
    }

    /** The name in the settings. */
    String title() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The number of tokens in the s-grams by which {@link Sampling#OPEN_CLOSED} orders k-grams of this length. */
    int inner(int k) {
        return Math.min(this == TEXT ? 4 : 2, k);
    }

    /** Whether names are written as distances. */
    boolean hasDistances() {
        return this == RENAMED || this == P_MATCH;
    }
}
