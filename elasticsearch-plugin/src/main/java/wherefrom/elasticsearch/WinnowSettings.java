package wherefrom.elasticsearch;

import org.elasticsearch.plugin.settings.AnalysisSettings;
import org.elasticsearch.plugin.settings.StringSetting;

/**
 * The settings of winnowing. All are texts, empty if not given. {@link Winnowing} checks them only when a component is
 * used, since the server makes a component of each kind for every index.
 */
@AnalysisSettings
public interface WinnowSettings {
    /** {@code exact}, {@code renamed}, {@code p_match} or {@code text}. */
    @StringSetting(path = "representation", defaultValue = "")
    String representation();

    /** The number of tokens in a k-gram. */
    @StringSetting(path = "k", defaultValue = "")
    String k();

    /** The window: of this many hashes in a row, at least one is kept. */
    @StringSetting(path = "w", defaultValue = "")
    String w();

    /** {@code open_closed}, {@code robust} or {@code plain}. */
    @StringSetting(path = "sampler", defaultValue = "")
    String sampler();

    /** Whether repeated terms are left out: {@code true} or {@code false}. */
    @StringSetting(path = "unique", defaultValue = "")
    String unique();
}
