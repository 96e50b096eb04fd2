package wherefrom.elasticsearch;

import org.elasticsearch.plugin.settings.AnalysisSettings;
import org.elasticsearch.plugin.settings.StringSetting;

/**
 * The settings of winnowing. All of them are texts, empty where not given: what is wrong with one is said by
 * {@link Winnowing}, when the component is used and not when it is made, since the server makes one of each kind for
 * every index.
 */
@AnalysisSettings
public interface WinnowSettings {
    /** {@code exact}, {@code renamed}, {@code p_match} or {@code text}. */
    @StringSetting(path = "representation", defaultValue = "")
    String representation();

    /** Tokens in a k-gram. */
    @StringSetting(path = "k", defaultValue = "")
    String k();

    /** Hashes of which one is kept. */
    @StringSetting(path = "w", defaultValue = "")
    String w();

    /** {@code open_closed}, {@code robust} or {@code plain}. */
    @StringSetting(path = "sampler", defaultValue = "")
    String sampler();

    /** Whether a term that occurs again is left out: {@code true} or {@code false}. */
    @StringSetting(path = "unique", defaultValue = "")
    String unique();
}
