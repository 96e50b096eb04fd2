package wherefrom.elasticsearch;

/** The terms that a stream has had, up to a limit: past it, a term may come again. */
final class SeenTerms {
    /** Terms that are remembered; more are forgotten, all at once. */
    static final int MOST = 1 << 20;

    private static final int SMALLEST = 1 << 8;

    /** Terms plus one, 0 for a free place. */
    private long[] table = new long[SMALLEST];

    private int count;

    /** Forgets all of them. */
    void clear() {
        if (count > 0) {
            table = new long[SMALLEST];
            count = 0;
        }
    }

    /** Whether this term is new; remembers it. */
    boolean add(long term) {
        if (count == MOST) {
            clear();
        }
        if (2 * count >= table.length) {
            long[] smaller = table;
            table = new long[2 * smaller.length];
            for (long entry : smaller) {
                if (entry != 0) {
                    table[place(entry)] = entry;
                }
            }
        }
        int place = place(term + 1);
        if (table[place] != 0) {
            return false;
        }
        table[place] = term + 1;
        count++;
        return true;
    }

    /** Where an entry is, or would be. */
    private int place(long entry) {
        // Terms are hashes, but an author of documents may choose them, so they are mixed once more.
        int place = (int) (Hashing.mix(entry) & table.length - 1);
        while (table[place] != 0 && table[place] != entry) {
            place = place + 1 & table.length - 1;
        }
        return place;
    }
}
