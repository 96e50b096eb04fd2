package wherefrom.elasticsearch;

/** The terms that a stream has given, for {@code unique}. Beyond a limit they are forgotten, and terms may repeat. */
final class SeenTerms {
    /** The highest number of terms that are remembered. If one more comes, all are forgotten. */
    static final int MOST = 1 << 20;

    private static final int SMALLEST = 1 << 8;

    /** A hash table of terms, each increased by one; 0 marks a free place. */
    private long[] table = new long[SMALLEST];

    private int count;

    /** Forgets all terms. */
    void clear() {
        if (count > 0) {
            table = new long[SMALLEST];
            count = 0;
        }
    }

    /** Remembers a term. Returns whether it is new. */
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

    /** The place of an entry in the table, or the free place for it. */
    private int place(long entry) {
        // Terms are hashes, but an author of documents can choose which occur, so they are mixed once more.
        int place = (int) (Hashing.mix(entry) & table.length - 1);
        while (table[place] != 0 && table[place] != entry) {
            place = place + 1 & table.length - 1;
        }
        return place;
    }
}
