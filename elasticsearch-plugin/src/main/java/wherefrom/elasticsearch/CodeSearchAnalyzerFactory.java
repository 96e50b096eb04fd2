package wherefrom.elasticsearch;

import org.apache.lucene.analysis.Analyzer;
import org.elasticsearch.plugin.Inject;
import org.elasticsearch.plugin.NamedComponent;
import org.elasticsearch.plugin.analysis.AnalyzerFactory;

/** The analyzer {@code wherefrom_code_search}: code, for what is looked up in a field of {@code wherefrom_code}. */
@NamedComponent("wherefrom_code_search")
public final class CodeSearchAnalyzerFactory implements AnalyzerFactory {
    private final WinnowSettings winnow;
    private final LexerSettings lexer;

    /** Takes the settings; they are not looked at before the analyzer is used. */
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
