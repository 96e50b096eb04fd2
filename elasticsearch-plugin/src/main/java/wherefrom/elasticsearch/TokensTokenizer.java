package wherefrom.elasticsearch;

import java.io.IOException;
import org.apache.lucene.analysis.Tokenizer;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.apache.lucene.analysis.tokenattributes.OffsetAttribute;
import org.apache.lucene.analysis.tokenattributes.TypeAttribute;

/**
 * Reads a field of tokens that the client filled. Blanks separate the tokens; each is the letter of its kind and
 * base64url of the five bytes of its code. Each segment of a content is one value of the field.
 */
final class TokensTokenizer extends Tokenizer {
    private static final int LENGTH = 1 + Hashing.TERM_LENGTH;

    private final CharTermAttribute term = addAttribute(CharTermAttribute.class);
    private final OffsetAttribute offset = addAttribute(OffsetAttribute.class);
    private final TypeAttribute type = addAttribute(TypeAttribute.class);
    private final Source source = new Source(input);

    @Override
    public void reset() throws IOException {
        super.reset();
        source.reset(input);
    }

    @Override
    public boolean incrementToken() throws IOException {
        clearAttributes();
        while (isBlank(source.peek())) {
            source.skip(1);
        }
        int letter = source.peek();
        if (letter == Source.END) {
            return false;
        }
        int start = source.offset();
        TokenKind kind = TokenKind.ofLetter((char) letter);
        char[] buffer = term.resizeBuffer(LENGTH);
        int length = 0;
        while (length < LENGTH && source.peek(length) != Source.END && !isBlank(source.peek(length))) {
            buffer[length] = (char) source.peek(length);
            length++;
        }
        boolean isWhole = length == LENGTH && (source.peek(length) == Source.END || isBlank(source.peek(length)));
        if (kind == null || !isWhole || Hashing.read(buffer, 1) < 0) {
            throw new IllegalArgumentException("a field of tokens holds [" + new String(buffer, 0, length) + "] at offset "
                    + start + ", which is not a token: fill such a field with what wherefrom gives for it");
        }
        System.arraycopy(buffer, 1, buffer, 0, LENGTH - 1);
        term.setLength(LENGTH - 1);
        source.skip(LENGTH);
        offset.setOffset(correctOffset(start), correctOffset(source.offset()));
        type.setType(kind.codeType);
        return true;
    }

    private static boolean isBlank(int character) {
        return character >= 0 && character <= ' ';
    }

    @Override
    public void end() throws IOException {
        super.end();
        int end = correctOffset(source.offset());
        offset.setOffset(end, end);
    }

    @Override
    public void close() throws IOException {
        super.close();
        source.reset(input);
    }
}
