package wherefrom.elasticsearch;

import org.apache.lucene.analysis.Analyzer;
import org.elasticsearch.plugin.Inject;
import org.elasticsearch.plugin.NamedComponent;
import org.elasticsearch.plugin.analysis.AnalyzerFactory;

/** The analyzer {@code wherefrom_code}, which analyzes code that is indexed. */
@NamedComponent("wherefrom_code")
public final class CodeAnalyzerFactory implements AnalyzerFactory {
    private final WinnowSettings winnow;
    private final LexerSettings lexer;

    /** Takes the settings, which are checked only when the analyzer is used. */
    @Inject
    public CodeAnalyzerFactory(WinnowSettings winnow, LexerSettings lexer) {
        this.winnow = winnow;
        this.lexer = lexer;
    }

    @Override
    public Analyzer create() {
        return new WinnowAnalyzer(
                () -> new CodeTokenizer(CodeLanguage.of(lexer)), () -> Winnowing.of(winnow, Representation.EXACT, false));
    }
}
