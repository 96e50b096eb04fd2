package wherefrom.elasticsearch;

import java.util.function.Supplier;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.Tokenizer;

/** An analyzer of a tokenizer of this plug-in and winnowing. */
final class WinnowAnalyzer extends Analyzer {
    private final Supplier<Tokenizer> tokenizer;
    private final Supplier<Winnowing> winnowing;

    /** Takes suppliers, so that the tokenizer is made and the settings are checked only when the analyzer is used. */
    WinnowAnalyzer(Supplier<Tokenizer> tokenizer, Supplier<Winnowing> winnowing) {
        this.tokenizer = tokenizer;
        this.winnowing = winnowing;
    }

    @Override
    protected TokenStreamComponents createComponents(String field) {
        Tokenizer source = tokenizer.get();
        return new TokenStreamComponents(source, new WinnowFilter(source, winnowing.get()));
    }
}
