package wherefrom.elasticsearch;

/**
 * Winnowing of hashes that come one by one, in memory for one window: {@code wherefrom/analyzers/samplers.py} as a
 * stream. Hashes are compared unsigned.
 */
final class Sampler {
    private final int w;
    private final boolean isRobust;
    private final long[] hashes;

    /** Positions of hashes that may yet be the rightmost minimum of a window, their hashes rising; a ring. */
    private final long[] rising;

    private int first;
    private int count;
    private long seen;
    private long selected;

    Sampler(int w, boolean isRobust) {
        this.w = w;
        this.isRobust = isRobust;
        this.hashes = new long[w];
        this.rising = new long[w + 1]; // the new one is added before the one that leaves the window is removed
        reset();
    }

    /** Starts over. */
    void reset() {
        first = 0;
        count = 0;
        seen = 0;
        selected = -1;
    }

    /** The position of the hash that was selected last, from 0; it is in the last window. */
    long selected() {
        return selected;
    }

    /** Takes the next hash; whether a hash was selected. */
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

    /** Ends the hashes; whether one was selected: fewer than w keep the rightmost minimum of all. */
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
