package wherefrom.elasticsearch;

/** The kinds of tokens. The tokenizers of this plug-in write the kind as the Lucene type of a token. */
enum TokenKind {
    /** Keywords, operators, punctuation. */
    SYMBOL('y'),
    /** Identifiers, types, fields, labels: what a copier may rename. */
    NAME('n'),
    STRING('s'),
    NUMBER('d'),
    /** One letter or digit of prose. */
    CHARACTER('c');

    /** The letter for this kind in a field of tokens. */
    final char letter;

    /** The Lucene type of a token of this kind whose term is its text. */
    final String textType = "wherefrom " + name().toLowerCase(java.util.Locale.ROOT);

    /** The Lucene type of a token of this kind whose term is its code. */
    final String codeType = textType + " code";

    private static final TokenKind[] KINDS = values();

    TokenKind(char letter) {
        this.letter = letter;
    }

    /** Returns the kind with this letter, or null if none has it. */
    static TokenKind ofLetter(char letter) {
        for (TokenKind kind : KINDS) {
            if (kind.letter == letter) {
                return kind;
            }
        }
        return null;
    }

    /** Returns the kind with this {@link #codeType}, or null if none has it. */
    static TokenKind ofCodeType(String type) {
        for (TokenKind kind : KINDS) {
            if (kind.codeType.equals(type)) {
                return kind;
            }
        }
        return null;
    }

    /**
     * Returns the kind of a token whose term is its text. If a tokenizer of this plug-in made the token, its type tells
     * the kind; otherwise it is guessed from the first character.
     */
    static TokenKind of(String type, char[] text, int length) {
        for (TokenKind kind : KINDS) {
            if (kind.textType.equals(type)) {
                return kind;
            }
        }
        if (length == 0) {
            return SYMBOL;
        }
        char first = text[0];
        if (first == '"' || first == '\'' || first == '`') {
            return STRING;
        }
        if (Character.isDigit(first)) {
            return NUMBER;
        }
        return Character.isLetter(first) || first == '_' || first == '$' || Character.isSurrogate(first) ? NAME : SYMBOL;
    }
}
