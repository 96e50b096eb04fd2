package wherefrom.elasticsearch;

import java.io.IOException;
import org.apache.lucene.analysis.TokenFilter;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.apache.lucene.analysis.tokenattributes.OffsetAttribute;
import org.apache.lucene.analysis.tokenattributes.PositionIncrementAttribute;
import org.apache.lucene.analysis.tokenattributes.TypeAttribute;
import org.apache.lucene.util.UnicodeUtil;

/**
 * Turns tokens into fingerprints. Each is a term of seven characters at the position of the first token of its k-gram,
 * with the offsets of the whole k-gram.
 *
 * <p>Positions count tokens (in prose: letters and digits) and ignore the position increments of the stream.
 */
final class WinnowFilter extends TokenFilter {
    /** The Lucene type of fingerprints. */
    static final String TYPE = "fingerprint";

    /** The size to which the buffers for tokens are reduced after a stream. */
    private static final int KEPT = 1 << 13;

    private final CharTermAttribute term = addAttribute(CharTermAttribute.class);
    private final OffsetAttribute offset = addAttribute(OffsetAttribute.class);
    private final PositionIncrementAttribute increment = addAttribute(PositionIncrementAttribute.class);
    private final TypeAttribute type = addAttribute(TypeAttribute.class);

    private final boolean isText;
    private final Fingerprinter fingerprinter;
    private final SeenTerms seen;
    private final Characters characters;

    /** A buffer for a token's text in UTF-8. */
    private byte[] symbol = new byte[256];

    // The token of prose whose letters and digits are being taken one by one.
    private char[] letters = new char[256];
    private int letterCount;
    private int letterAt;
    private int letterStart;
    private int letterEnd;
    private boolean isLetterForLetter;

    private boolean isFinished;
    private long lastPosition;
    private int lastStart;
    private int lastEnd;

    WinnowFilter(TokenStream input, Winnowing winnowing) {
        super(input);
        isText = winnowing.representation() == Representation.TEXT;
        fingerprinter = new Fingerprinter(winnowing);
        seen = winnowing.isUnique() ? new SeenTerms() : null;
        characters = isText ? new Characters() : null;
    }

    @Override
    public void reset() throws IOException {
        super.reset();
        fingerprinter.reset();
        letterCount = letterAt = 0;
        isFinished = false;
        lastPosition = -1;
        lastStart = lastEnd = 0;
    }

    @Override
    public boolean incrementToken() throws IOException {
        while (!isFinished) {
            boolean found;
            if (letterAt < letterCount) {
                found = addLetter();
            } else if (input.incrementToken()) {
                found = addToken();
            } else {
                isFinished = true;
                found = fingerprinter.finish();
            }
            if (found && (seen == null || seen.add(fingerprinter.term()))) {
                give();
                return true;
            }
        }
        return false;
    }

    private boolean addToken() {
        int start = offset.startOffset();
        int end = offset.endOffset();
        TokenKind kind = TokenKind.ofCodeType(type.type());
        if (kind != null) {
            boolean isWanted = (kind == TokenKind.CHARACTER) == isText;
            return isWanted && fingerprinter.add(Hashing.read(term.buffer(), 0), kind, start, end);
        }
        if (isText) {
            letterCount = term.length();
            letterAt = 0;
            letterStart = start;
            letterEnd = end;
            isLetterForLetter = end - start == letterCount;
            if (letters.length < letterCount) {
                letters = new char[letterCount];
            }
            System.arraycopy(term.buffer(), 0, letters, 0, letterCount);
            return false;
        }
        int most = UnicodeUtil.maxUTF8Length(term.length());
        if (symbol.length < most) {
            symbol = new byte[most];
        }
        int length = UnicodeUtil.UTF16toUTF8(term.buffer(), 0, term.length(), symbol);
        TokenKind guessed = TokenKind.of(type.type(), term.buffer(), term.length());
        return fingerprinter.add(Hashing.tokenCode(symbol, length), guessed, start, end);
    }

    private boolean addLetter() {
        int at = letterAt;
        int point = Character.codePointAt(letters, at, letterCount);
        letterAt += Character.charCount(point);
        long code = characters.code(point);
        if (code == Characters.NONE) {
            return false;
        }
        int start = isLetterForLetter ? letterStart + at : letterStart;
        int end = isLetterForLetter ? letterStart + letterAt : letterEnd;
        return fingerprinter.add(code, TokenKind.CHARACTER, start, end);
    }

    private void give() {
        long position = fingerprinter.position();
        // The tokenizer may give tokens that begin before earlier ones, but an index needs ascending offsets.
        lastStart = Math.max(lastStart, fingerprinter.start());
        lastEnd = Math.max(lastStart, fingerprinter.end());
        clearAttributes();
        Hashing.write(fingerprinter.term(), term.resizeBuffer(Hashing.TERM_LENGTH));
        term.setLength(Hashing.TERM_LENGTH);
        offset.setOffset(lastStart, lastEnd);
        increment.setPositionIncrement((int) (position - lastPosition));
        type.setType(TYPE);
        lastPosition = position;
    }

    @Override
    public void end() throws IOException {
        super.end();
        increment.setPositionIncrement((int) Math.max(0, fingerprinter.tokens() - 1 - lastPosition));
        release();
    }

    @Override
    public void close() throws IOException {
        super.close();
        release();
    }

    /** Frees the memory that a long text needed, since a server keeps streams for each of its threads. */
    private void release() {
        if (seen != null) {
            seen.clear();
        }
        if (letters.length > KEPT) {
            letters = new char[KEPT];
        }
        if (symbol.length > KEPT) {
            symbol = new byte[KEPT];
        }
    }
}
