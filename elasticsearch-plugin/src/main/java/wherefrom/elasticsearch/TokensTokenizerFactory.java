package wherefrom.elasticsearch;

import org.apache.lucene.analysis.Tokenizer;
import org.elasticsearch.plugin.NamedComponent;
import org.elasticsearch.plugin.analysis.TokenizerFactory;

/** The tokenizer {@code wherefrom_tokens}: {@link TokensTokenizer}. */
@NamedComponent("wherefrom_tokens")
public final class TokensTokenizerFactory implements TokenizerFactory {
    @Override
    public Tokenizer create() {
        return new TokensTokenizer();
    }
}
