package wherefrom.elasticsearch;

/**
 * Makes fingerprints of tokens that come one by one, as {@code wherefrom/analyzers/representations.py} defines them. It
 * has memory only for one k-gram and one window.
 *
 * <p>If {@link #add} or {@link #finish} returns true, there is a new fingerprint, and {@link #term}, {@link #position},
 * {@link #start} and {@link #end} describe it.
 */
final class Fingerprinter {
    private static final long[] MEMBER_MARKS = codes(".", "->", "::", "?.", "?->", "&.", "!!.");
    private static final long CALL_MARK = Hashing.tokenCode("(");
    private static final long FIRST = Hashing.tokenCode("\0first");
    private static final long STRING = Hashing.tokenCode("\0string");
    private static final long NUMBER = Hashing.tokenCode("\0number");
    private static final long[] DISTANCES = new long[Winnowing.MOST_DISTANCES];

    static {
        for (int distance = 0; distance < DISTANCES.length; distance++) {
            DISTANCES[distance] = distance == 0 ? FIRST : Hashing.tokenCode("\0distance " + distance);
        }
    }

    private final Representation representation;
    private final int k;
    private final int w;
    private final long[] powers;
    private final Sampling sampling;
    private final Sampler sampler;

    // The last k tokens, in ring buffers.
    private final long[] codes;
    private final long[] written;
    private final boolean[] areDistances;
    private final int[] distances;
    private final int[] starts;
    private final int[] ends;

    // The hashes of the s-grams of the last k tokens, for open-closed sampling, in a ring buffer.
    private final long[] innerPowers;
    private final long[] inner;

    // The last w k-grams, in ring buffers.
    private final long[] hashes;
    private final int[] gramStarts;
    private final int[] gramEnds;

    private long tokens;
    private long grams;
    private long rolling;
    private long before;

    // The last token. Only the token after it tells whether it is the name of a call.
    private boolean isWaiting;
    private long waitingCode;
    private TokenKind waitingKind;
    private int waitingStart;
    private int waitingEnd;

    Fingerprinter(Winnowing winnowing) {
        representation = winnowing.representation();
        k = winnowing.k();
        w = winnowing.w();
        powers = Hashing.powers(k);
        sampling = winnowing.sampling();
        sampler = new Sampler(w, sampling != Sampling.PLAIN);
        int s = representation.inner(k);
        innerPowers = Hashing.powers(s);
        inner = new long[k - s + 1];
        codes = new long[k];
        written = new long[k];
        areDistances = new boolean[k];
        distances = new int[k];
        starts = new int[k];
        ends = new int[k];
        hashes = new long[w];
        gramStarts = new int[w];
        gramEnds = new int[w];
    }

    private static long[] codes(String... symbols) {
        return java.util.Arrays.stream(symbols).mapToLong(Hashing::tokenCode).toArray();
    }

    /** Begins another sequence of tokens. */
    void reset() {
        sampler.reset();
        tokens = 0;
        grams = 0;
        rolling = 0;
        before = -1;
        isWaiting = false;
    }

    /** The number of tokens so far. */
    long tokens() {
        return tokens;
    }

    /** The hash of the fingerprint's k-gram. */
    long hash() {
        return hashes[slot()];
    }

    /** The term of the fingerprint. */
    long term() {
        return Hashing.term(hash());
    }

    /** The position of the first token of the fingerprint's k-gram, from 0. */
    long position() {
        return sampler.selected();
    }

    /** The offset at which the first token of the fingerprint's k-gram starts. */
    int start() {
        return gramStarts[slot()];
    }

    /** The offset at which the last token of the fingerprint's k-gram ends. */
    int end() {
        return gramEnds[slot()];
    }

    private int slot() {
        return (int) (sampler.selected() % w);
    }

    /**
     * Takes the next token. Returns whether there is a new fingerprint.
     *
     * @param code the code of the token's symbol
     * @param start the offset of the token
     * @param end the offset behind the token
     */
    boolean add(long code, TokenKind kind, int start, int end) {
        if (!representation.hasDistances()) {
            return push(code, code, false, start, end);
        }
        boolean found = isWaiting && pushWaiting(code == CALL_MARK);
        isWaiting = true;
        waitingCode = code;
        waitingKind = kind;
        waitingStart = start;
        waitingEnd = end;
        return found;
    }

    /** Ends the tokens. Returns whether there is a last fingerprint. */
    boolean finish() {
        boolean found = isWaiting && pushWaiting(false);
        isWaiting = false;
        // Never both: the sampler selects a hash at the end only if there are fewer k-grams than a window has.
        return found || sampler.finish();
    }

    private boolean pushWaiting(boolean isCalled) {
        boolean isDistance = waitingKind == TokenKind.NAME
                && !(representation == Representation.RENAMED && (isCalled || isMemberMark(before)));
        long symbol = switch (waitingKind) {
            case STRING -> STRING;
            case NUMBER -> NUMBER;
            default -> waitingCode;
        };
        before = waitingCode;
        return push(waitingCode, symbol, isDistance, waitingStart, waitingEnd);
    }

    private static boolean isMemberMark(long code) {
        for (long mark : MEMBER_MARKS) {
            if (mark == code) {
                return true;
            }
        }
        return false;
    }

    private boolean push(long code, long symbol, boolean isDistance, int start, int end) {
        int at = (int) (tokens % k);
        long leaving = written[at];
        codes[at] = code;
        written[at] = symbol;
        starts[at] = start;
        ends[at] = end;
        if (representation.hasDistances()) {
            areDistances[at] = isDistance;
            distances[at] = isDistance ? distance(at) : 0;
        }
        tokens++;
        if (!representation.hasDistances()) {
            long without = tokens > k ? rolling - leaving * powers[0] : rolling;
            rolling = (without + symbol) * Hashing.BASE;
        }
        if (sampling == Sampling.OPEN_CLOSED && tokens >= innerPowers.length) {
            long number = tokens - innerPowers.length;
            inner[(int) (number % inner.length)] = hashFrom((int) (number % k), innerPowers);
        }
        if (tokens < k) {
            return false;
        }
        int gram = (int) (grams++ % w);
        int begin = (int) (tokens % k);
        hashes[gram] = representation.hasDistances() ? hashFrom(begin, powers) : rolling;
        gramStarts[gram] = starts[begin];
        gramEnds[gram] = end;
        return sampler.add(sampling == Sampling.OPEN_CLOSED ? order(hashes[gram]) : hashes[gram]);
    }

    /** What open-closed sampling compares of the last k-gram: its kind in the leading two bits, then its hash. */
    private long order(long hash) {
        int last = inner.length - 1;
        long first = tokens - k;
        int least = 0;
        for (int offset = 1; offset <= last; offset++) {
            if (Long.compareUnsigned(innerAt(first + offset), innerAt(first + least)) <= 0) {
                least = offset;
            }
        }
        long kind = least == last / 2 ? 0 : least == 0 || least == last ? 1 : 2;
        return kind << 62 | hash >>> 2;
    }

    private long innerAt(long number) {
        return inner[(int) (number % inner.length)];
    }

    /** How many tokens back the same name appears among the last k - 1 tokens, or 0 if it does not. */
    private int distance(int at) {
        int reach = (int) Math.min(k - 1, tokens);
        for (int distance = 1; distance <= reach; distance++) {
            int other = (at - distance + k) % k;
            if (areDistances[other] && codes[other] == codes[at]) {
                return distance;
            }
        }
        return 0;
    }

    /**
     * The hash of the tokens from {@code begin} on, as many as there are powers. A name is written as its distance only
     * if the earlier one is among these tokens, or else as a first occurrence.
     */
    private long hashFrom(int begin, long[] powers) {
        long hash = 0;
        for (int offset = 0, at = begin; offset < powers.length; offset++, at = at + 1 == k ? 0 : at + 1) {
            long symbol = written[at];
            if (areDistances[at]) {
                symbol = DISTANCES[distances[at] <= offset ? distances[at] : 0];
            }
            hash += symbol * powers[offset];
        }
        return hash;
    }
}
