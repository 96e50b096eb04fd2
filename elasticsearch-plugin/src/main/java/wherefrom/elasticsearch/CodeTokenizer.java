package wherefrom.elasticsearch;

import java.io.IOException;
import org.apache.lucene.analysis.Tokenizer;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.apache.lucene.analysis.tokenattributes.OffsetAttribute;
import org.apache.lucene.analysis.tokenattributes.TypeAttribute;

/** Gives the tokens of code, by {@link CodeLexer}, with their kinds as types; comments and blanks are left out. */
final class CodeTokenizer extends Tokenizer {
    private final CharTermAttribute term = addAttribute(CharTermAttribute.class);
    private final OffsetAttribute offset = addAttribute(OffsetAttribute.class);
    private final TypeAttribute type = addAttribute(TypeAttribute.class);
    private final Source source = new Source(input);
    private final CodeLexer lexer;

    /**
     * Makes it for a language.
     *
     * @param language null: guessed from the beginning of each text
     */
    CodeTokenizer(CodeLanguage language) {
        lexer = new CodeLexer(language, source);
    }

    @Override
    public void reset() throws IOException {
        super.reset();
        source.reset(input);
        lexer.reset();
    }

    @Override
    public boolean incrementToken() throws IOException {
        clearAttributes();
        if (!lexer.next()) {
            return false;
        }
        term.copyBuffer(lexer.text().characters(), 0, lexer.text().length());
        offset.setOffset(correctOffset(lexer.start()), correctOffset(lexer.end()));
        type.setType(lexer.kind().textType);
        return true;
    }

    @Override
    public void end() throws IOException {
        super.end();
        int end = correctOffset(lexer.end());
        offset.setOffset(end, end);
    }

    @Override
    public void close() throws IOException {
        super.close();
        source.reset(input);
    }
}
