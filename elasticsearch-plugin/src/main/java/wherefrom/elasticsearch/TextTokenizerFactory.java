package wherefrom.elasticsearch;

import org.apache.lucene.analysis.Tokenizer;
import org.elasticsearch.plugin.NamedComponent;
import org.elasticsearch.plugin.analysis.TokenizerFactory;

/** The tokenizer {@code wherefrom_text}: {@link TextTokenizer}. */
@NamedComponent("wherefrom_text")
public final class TextTokenizerFactory implements TokenizerFactory {
    @Override
    public Tokenizer create() {
        return new TextTokenizer();
    }
}
