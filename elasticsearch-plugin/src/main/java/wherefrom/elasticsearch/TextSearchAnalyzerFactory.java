package wherefrom.elasticsearch;

import org.apache.lucene.analysis.Analyzer;
import org.elasticsearch.plugin.Inject;
import org.elasticsearch.plugin.NamedComponent;
import org.elasticsearch.plugin.analysis.AnalyzerFactory;

/** The analyzer {@code wherefrom_text_search}, for queries of a field that {@code wherefrom_text} analyzes. */
@NamedComponent("wherefrom_text_search")
public final class TextSearchAnalyzerFactory implements AnalyzerFactory {
    private final WinnowSettings winnow;

    /** Takes the settings, which are checked only when the analyzer is used. */
    @Inject
    public TextSearchAnalyzerFactory(WinnowSettings winnow) {
        this.winnow = winnow;
    }

    @Override
    public Analyzer create() {
        return new WinnowAnalyzer(
                TextTokenizer::new, () -> Winnowing.of(winnow, Representation.TEXT, true));
    }
}
