package wherefrom.elasticsearch;

import java.util.Arrays;
import java.util.Locale;

/** The rule that keeps hashes, as {@code wherefrom/analyzers/samplers.py} has it. */
enum Sampling {
    /** Open k-grams first, then closed ones, then the others; of equal ones as {@link #ROBUST}. */
    OPEN_CLOSED,
    /** The least hash; a window keeps the selection of the window before it while that one is a minimum of it. */
    ROBUST,
    /** The least hash, of equal ones the rightmost. */
    PLAIN;

    /** As the settings write it. */
    String title() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * The sampling of a setting, else the default.
     *
     * @throws IllegalArgumentException it is the name of none; the message names the setting
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
