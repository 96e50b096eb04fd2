package wherefrom.elasticsearch;

/**
 * Winnows hashes that come one by one, as {@code wherefrom/analyzers/samplers.py} defines it. It has memory only for
 * one window. Hashes are compared as unsigned numbers.
 */
final class Sampler {
    private final int w;
    private final boolean isRobust;
    private final long[] hashes;

    /** Positions that can still be the rightmost minimum of a window, by ascending hash, in a ring buffer. */
    private final long[] rising;

    private int first;
    private int count;
    private long seen;
    private long selected;

    Sampler(int w, boolean isRobust) {
        this.w = w;
        this.isRobust = isRobust;
        this.hashes = new long[w];
        this.rising = new long[w + 1]; // a new position is added before the one that leaves the window is removed
        reset();
    }

    /** Begins another sequence of hashes. */
    void reset() {
        first = 0;
        count = 0;
        seen = 0;
        selected = -1;
    }

    /** The position of the hash that was selected last, from 0. It is always in the last window. */
    long selected() {
        return selected;
    }

    /** Takes the next hash. Returns whether a hash was selected. */
    boolean add(long hash) {
        long position = seen++;
        hashes[slot(position)] = hash;
        while (count > 0 && Long.compareUnsigned(hashAt(rising[place(count - 1)]), hash) >= 0) {
            count--;
        }
        rising[place(count++)] = position;
        if (seen < w) {
            return false;
        }
        long begin = seen - w;
        if (rising[first] < begin) {
            first = place(1);
            count--;
        }
        long least = rising[first];
        boolean holds = isRobust && selected >= begin && hashAt(selected) == hashAt(least);
        if (holds || least == selected) {
            return false;
        }
        selected = least;
        return true;
    }

    /** Ends the hashes. If there were fewer than w, selects the rightmost minimum of all. Returns whether it did. */
    boolean finish() {
        if (count == 0 || seen >= w) {
            return false;
        }
        selected = rising[first];
        return true;
    }

    private int slot(long position) {
        return (int) (position % w);
    }

    private long hashAt(long position) {
        return hashes[slot(position)];
    }

    private int place(int number) {
        return (first + number) % rising.length;
    }
}
