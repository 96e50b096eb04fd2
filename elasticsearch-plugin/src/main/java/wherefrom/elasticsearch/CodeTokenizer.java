package wherefrom.elasticsearch;

import java.io.IOException;
import org.apache.lucene.analysis.Tokenizer;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.apache.lucene.analysis.tokenattributes.OffsetAttribute;
import org.apache.lucene.analysis.tokenattributes.TypeAttribute;

/** Gives the tokens that {@link CodeLexer} finds, without comments and noise. The type of each tells its kind. */
final class CodeTokenizer extends Tokenizer {
    private final CharTermAttribute term = addAttribute(CharTermAttribute.class);
    private final OffsetAttribute offset = addAttribute(OffsetAttribute.class);
    private final TypeAttribute type = addAttribute(TypeAttribute.class);
    private final Source source = new Source(input);
    private final CodeLexer lexer;

    /** The last token that was read. Only the token after it tells whether it is noise. */
    private final Waiting waiting = new Waiting();

    private CodeLanguage language;
    private Values values;
    private Noise noise;

    /**
     * Makes a tokenizer for a language.
     *
     * @param language null to guess it from the beginning of each text
     */
    CodeTokenizer(CodeLanguage language) {
        lexer = new CodeLexer(language, source);
    }

    @Override
    public void reset() throws IOException {
        super.reset();
        source.reset(input);
        lexer.reset();
        if (language != lexer.language()) {
            language = lexer.language();
            values = Values.of(language);
            noise = new Noise(language);
        }
        noise.reset();
        advance();
    }

    @Override
    public boolean incrementToken() throws IOException {
        clearAttributes();
        while (waiting.isThere) {
            term.copyBuffer(waiting.characters, 0, waiting.length);
            offset.setOffset(waiting.start, waiting.end);
            type.setType(waiting.kind.textType);
            TokenKind kind = waiting.kind;
            String text = waiting.symbol();
            advance();
            if (!noise.isNoise(kind, text, waiting.isThere ? waiting.symbol() : "")) {
                return true;
            }
        }
        clearAttributes();
        return false;
    }

    /** Reads the next token that has a value into {@link #waiting}. */
    private void advance() throws IOException {
        do {
            waiting.isThere = lexer.next();
            if (!waiting.isThere) {
                return;
            }
            values.read(lexer.text().characters(), lexer.text().length(), lexer.kind());
        } while (values.length() == 0);
        waiting.take(values, lexer.kind(), correctOffset(lexer.start()), correctOffset(lexer.end()));
    }

    /** A token with its value. */
    private static final class Waiting {
        /** Characters of the longest symbol that matters to {@link Noise}. */
        private static final int LONGEST = 8;

        boolean isThere;
        char[] characters = new char[0];
        int length;
        TokenKind kind;
        int start;
        int end;

        void take(Values values, TokenKind what, int from, int to) {
            length = values.length();
            if (characters.length < length) {
                characters = new char[values.characters().length];
            }
            System.arraycopy(values.characters(), 0, characters, 0, length);
            kind = what;
            start = from;
            end = to;
        }

        String symbol() {
            return kind == TokenKind.SYMBOL && length <= LONGEST ? new String(characters, 0, length) : "";
        }
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
