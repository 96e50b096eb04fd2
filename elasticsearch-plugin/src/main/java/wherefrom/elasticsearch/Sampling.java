package wherefrom.elasticsearch;

import java.util.Arrays;
import java.util.Locale;

/** The rules by which hashes are kept, as {@code wherefrom/analyzers/samplers.py} defines them. */
enum Sampling {
    /** Open k-grams first, then closed ones, then the others; among equal ones as {@link #ROBUST}. */
    OPEN_CLOSED,
    /** The least hash; if the selection of the previous window is still a minimum of this window, it stays. */
    ROBUST,
    /** The least hash, of equal ones the rightmost. */
    PLAIN;

    /** The name in the settings. */
    String title() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * Returns the sampling that a setting names, or the default if it is empty.
     *
     * @throws IllegalArgumentException no sampling has that name; the message names the setting
     */
    static Sampling of(String given) {
        if (given.isEmpty()) {
            return OPEN_CLOSED;
        }
        return Arrays.stream(values())
                .filter(each -> each.title().equals(given))
                .findFirst()
                .orElseThrow(() -> Winnowing.wrong("sampler", "open_closed, robust or plain", given));
    }
}
