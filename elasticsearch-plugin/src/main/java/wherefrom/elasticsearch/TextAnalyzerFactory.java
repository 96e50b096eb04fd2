package wherefrom.elasticsearch;

import org.apache.lucene.analysis.Analyzer;
import org.elasticsearch.plugin.Inject;
import org.elasticsearch.plugin.NamedComponent;
import org.elasticsearch.plugin.analysis.AnalyzerFactory;

/** The analyzer {@code wherefrom_text}, which analyzes prose that is indexed. */
@NamedComponent("wherefrom_text")
public final class TextAnalyzerFactory implements AnalyzerFactory {
    private final WinnowSettings winnow;

    /** Takes the settings, which are checked only when the analyzer is used. */
    @Inject
    public TextAnalyzerFactory(WinnowSettings winnow) {
        this.winnow = winnow;
    }

    @Override
    public Analyzer create() {
        return new WinnowAnalyzer(
                TextTokenizer::new, () -> Winnowing.of(winnow, Representation.TEXT, false));
    }
}
