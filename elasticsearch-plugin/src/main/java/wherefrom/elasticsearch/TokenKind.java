package wherefrom.elasticsearch;

/** What kind of token it is; the tokenizers of this plug-in tell it as the type of the token. */
enum TokenKind {
    /** Keywords, operators, punctuation. */
    SYMBOL('y'),
    /** Identifiers, types, fields, labels: what a copier may rename. */
    NAME('n'),
    STRING('s'),
    NUMBER('d'),
    /** One letter or digit of prose. */
    CHARACTER('c');

    /** The letter that stands for it in a field of tokens. */
    final char letter;

    /** The type of a token of this kind that is written as its text. */
    final String textType = "wherefrom " + name().toLowerCase(java.util.Locale.ROOT);

    /** The type of a token of this kind that is written as its code. */
    final String codeType = textType + " code";

    private static final TokenKind[] KINDS = values();

    TokenKind(char letter) {
        this.letter = letter;
    }

    /** The kind with this letter, null where no kind has it. */
    static TokenKind ofLetter(char letter) {
        for (TokenKind kind : KINDS) {
            if (kind.letter == letter) {
                return kind;
            }
        }
        return null;
    }

    /** The kind of a token of this type that is written as its code, null for any other type. */
    static TokenKind ofCodeType(String type) {
        for (TokenKind kind : KINDS) {
            if (kind.codeType.equals(type)) {
                return kind;
            }
        }
        return null;
    }

    /**
     * The kind of a token that is written as its text: what its type says where a tokenizer of this plug-in made it, else
     * what its text looks like.
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
