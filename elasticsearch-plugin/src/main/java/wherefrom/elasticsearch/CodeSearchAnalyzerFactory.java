package wherefrom.elasticsearch;

import org.apache.lucene.analysis.Analyzer;
import org.elasticsearch.plugin.Inject;
import org.elasticsearch.plugin.NamedComponent;
import org.elasticsearch.plugin.analysis.AnalyzerFactory;

/** The analyzer {@code wherefrom_code_search}, for queries of a field that {@code wherefrom_code} analyzes. */
@NamedComponent("wherefrom_code_search")
public final class CodeSearchAnalyzerFactory implements AnalyzerFactory {
    private final WinnowSettings winnow;
    private final LexerSettings lexer;

    /** Takes the settings, which are checked only when the analyzer is used. */
    @Inject
    public CodeSearchAnalyzerFactory(WinnowSettings winnow, LexerSettings lexer) {
        this.winnow = winnow;
        this.lexer = lexer;
    }

    @Override
    public Analyzer create() {
        return new WinnowAnalyzer(
                () -> new CodeTokenizer(CodeLanguage.of(lexer)), () -> Winnowing.of(winnow, Representation.EXACT, true));
    }
}
