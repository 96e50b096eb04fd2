package wherefrom.elasticsearch;

import org.apache.lucene.analysis.Tokenizer;
import org.elasticsearch.plugin.Inject;
import org.elasticsearch.plugin.NamedComponent;
import org.elasticsearch.plugin.analysis.TokenizerFactory;

/** The tokenizer {@code wherefrom_code}: {@link CodeTokenizer} with the settings of the index. */
@NamedComponent("wherefrom_code")
public final class CodeTokenizerFactory implements TokenizerFactory {
    private final LexerSettings settings;

    /** Takes the settings, which are checked only when the tokenizer is used. */
    @Inject
    public CodeTokenizerFactory(LexerSettings settings) {
        this.settings = settings;
    }

    @Override
    public Tokenizer create() {
        return new CodeTokenizer(CodeLanguage.of(settings));
    }
}
