package wherefrom.elasticsearch;

import java.nio.charset.StandardCharsets;

/** Token codes, factors of k-grams, the final mix and terms, as in {@code wherefrom/analyzers/hashing.py}. */
final class Hashing {
    /** The seed of every token code. */
    static final int SEED = 0x77686E63;

    /** Bits of a token code. */
    static final int CODE_BITS = 40;

    /** Bits of a term. */
    static final int TERM_BITS = 40;

    /** Characters of a term: base64url of its five bytes, without padding. The last two of the 42 bits are zero. */
    static final int TERM_LENGTH = 7;

    /** The base of the polynomial. */
    static final long BASE = 0x9E3779B97F4A7C15L;

    private static final long C1 = 0x87C37B91114253D5L;
    private static final long C2 = 0x4CF5AD432745937FL;

    private static final char[] ALPHABET =
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".toCharArray();
    private static final byte[] DIGITS = new byte[128];

    static {
        java.util.Arrays.fill(DIGITS, (byte) -1);
        for (byte digit = 0; digit < ALPHABET.length; digit++) {
            DIGITS[ALPHABET[digit]] = digit;
        }
    }

    private Hashing() {}

    /** The code of a token's symbol: the leading bits of the first half of MurmurHash3's x64 128-bit hash. */
    static long tokenCode(byte[] symbol, int length) {
        long first = SEED;
        long second = SEED;
        int body = length & ~15;
        for (int at = 0; at < body; at += 16) {
            first ^= Long.rotateLeft(word(symbol, at, 8) * C1, 31) * C2;
            first = (Long.rotateLeft(first, 27) + second) * 5 + 0x52DCE729L;
            second ^= Long.rotateLeft(word(symbol, at + 8, 8) * C2, 33) * C1;
            second = (Long.rotateLeft(second, 31) + first) * 5 + 0x38495AB5L;
        }
        int rest = length - body;
        second ^= Long.rotateLeft(word(symbol, body + 8, Math.max(rest - 8, 0)) * C2, 33) * C1;
        first ^= Long.rotateLeft(word(symbol, body, Math.min(rest, 8)) * C1, 31) * C2;
        first = (first ^ length) + (second ^= length);
        second += first;
        return (mix(first) + mix(second)) >>> (64 - CODE_BITS);
    }

    /** The code of a symbol. */
    static long tokenCode(String symbol) {
        byte[] bytes = symbol.getBytes(StandardCharsets.UTF_8);
        return tokenCode(bytes, bytes.length);
    }

    /** Reads {@code count} bytes, at most eight, as a little-endian number. */
    private static long word(byte[] bytes, int at, int count) {
        long value = 0;
        for (int place = count - 1; place >= 0; place--) {
            value = value << 8 | bytes[at + place] & 0xFF;
        }
        return value;
    }

    /** BASE^k, ..., BASE^1: the factors of the tokens of a k-gram, that of the first token first. */
    static long[] powers(int k) {
        long[] powers = new long[k];
        long value = 1;
        for (int place = k - 1; place >= 0; place--) {
            value *= BASE;
            powers[place] = value;
        }
        return powers;
    }

    /** MurmurHash3's 64-bit finaliser. */
    static long mix(long hash) {
        hash = (hash ^ hash >>> 33) * 0xFF51AFD7ED558CCDL;
        hash = (hash ^ hash >>> 33) * 0xC4CEB9FE1A85EC53L;
        return hash ^ hash >>> 33;
    }

    /** The term of a k-gram's hash. */
    static long term(long hash) {
        return mix(hash) >>> (64 - TERM_BITS);
    }

    /** Writes a number of 40 bits (a term or a code) as base64url. */
    static void write(long number, char[] to) {
        long padded = number << 2;
        for (int place = TERM_LENGTH - 1; place >= 0; place--) {
            to[place] = ALPHABET[(int) (padded & 63)];
            padded >>>= 6;
        }
    }

    /** Reads a number that {@link #write} wrote. Returns -1 if it cannot have written these characters. */
    static long read(char[] from, int at) {
        long padded = 0;
        for (int place = 0; place < TERM_LENGTH; place++) {
            char character = from[at + place];
            int digit = character < DIGITS.length ? DIGITS[character] : -1;
            if (digit < 0) {
                return -1;
            }
            padded = padded << 6 | digit;
        }
        return (padded & 3) == 0 ? padded >>> 2 : -1;
    }
}
