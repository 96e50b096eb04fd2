package wherefrom.elasticsearch;

import org.elasticsearch.plugin.settings.AnalysisSettings;
import org.elasticsearch.plugin.settings.StringSetting;

/** The setting of the lexer of code: a text that is checked only when it is used, as in {@link WinnowSettings}. */
@AnalysisSettings
public interface LexerSettings {
    /** {@code auto}, {@code c}, {@code cpp}, {@code java}, {@code javascript}, {@code python} or {@code shell}. */
    @StringSetting(path = "language", defaultValue = "")
    String language();
}
