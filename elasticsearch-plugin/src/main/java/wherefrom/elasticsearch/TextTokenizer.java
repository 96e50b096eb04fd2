package wherefrom.elasticsearch;

import java.io.IOException;
import org.apache.lucene.analysis.Tokenizer;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.apache.lucene.analysis.tokenattributes.OffsetAttribute;
import org.apache.lucene.analysis.tokenattributes.TypeAttribute;

/** Gives the runs of letters and digits of a text, long ones in pieces, for the representation {@code text}. */
final class TextTokenizer extends Tokenizer {
    private static final int LONGEST = 255;

    private static final String TYPE = "word";

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
        int point = source.peekPoint();
        while (point != Source.END && !Characters.isToken(point)) {
            source.skip(Character.charCount(point));
            point = source.peekPoint();
        }
        if (point == Source.END) {
            return false;
        }
        int start = source.offset();
        char[] buffer = term.resizeBuffer(LONGEST + 1);
        int length = 0;
        while (point != Source.END && length < LONGEST && Characters.isToken(point)) {
            length += Character.toChars(point, buffer, length);
            source.skip(Character.charCount(point));
            point = source.peekPoint();
        }
        term.setLength(length);
        offset.setOffset(correctOffset(start), correctOffset(source.offset()));
        type.setType(TYPE);
        return true;
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
