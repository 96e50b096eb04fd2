package wherefrom.elasticsearch;

import org.elasticsearch.plugin.settings.AnalysisSettings;
import org.elasticsearch.plugin.settings.StringSetting;

/** The setting of the lexer of code; as in {@link WinnowSettings} a text, checked when it is used. */
@AnalysisSettings
public interface LexerSettings {
    /** {@code auto}, {@code c}, {@code cpp}, {@code java}, {@code javascript}, {@code python} or {@code shell}. */
    @StringSetting(path = "language", defaultValue = "")
    String language();
}
