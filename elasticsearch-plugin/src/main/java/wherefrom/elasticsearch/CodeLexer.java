package wherefrom.elasticsearch;

import java.io.IOException;

/**
 * A small lexer for languages like C, for Python and for shells: strings, comments, numbers, operators, names. It cuts
 * code where the client's parser does, if that can be known without parsing; {@code GUIDE.md} lists the differences.
 *
 * <p>No text makes it fail. Its memory does not depend on the text, since it gives long tokens in pieces.
 */
final class CodeLexer {
    /** The highest number of open angle brackets that is counted: nobody nests type arguments deeper. */
    private static final int MOST_ANGLES = 16;

    /** At least as many characters as any keyword has. */
    private static final int LONGEST_WORD = 32;

    private final CodeLanguage chosen;
    private final Source source;
    private final TokenText text;
    private final LiteralReader literal;
    private CodeLanguage language;
    private boolean isC;
    private int start;
    private TokenKind kind;

    // What the lexer knows of the tokens before.
    private boolean isLineStart;
    private boolean wasLineStart;
    private boolean isDirectiveWord;
    private boolean isMember;
    private boolean isBehindComma;
    private boolean isBehindFrom;
    private boolean isOperand;
    private boolean isCast;
    private boolean isTypeWord;
    private int angles;
    private String directive;
    private int noRegexBefore;
    private boolean isVariable;
    private boolean isCommand;
    private boolean isAssigning;
    private boolean isBehindAssignment;

    /** The number of brackets that are open in a field of an f-string. */
    private int fieldBrackets;

    /**
     * Makes a lexer for a language.
     *
     * @param language null to guess it from the beginning of each text
     * @param source where the text comes from
     */
    CodeLexer(CodeLanguage language, Source source) {
        chosen = language;
        this.source = source;
        text = new TokenText(source);
        literal = new LiteralReader(text);
    }

    /** Begins a text, to which the source was reset. */
    void reset() throws IOException {
        language = chosen != null ? chosen : CodeLanguage.guess(source.next());
        isC = language == CodeLanguage.C || language == CodeLanguage.CPP;
        text.clear();
        literal.reset();
        start = 0;
        isLineStart = true;
        isOperand = isCast = isTypeWord = isDirectiveWord = isMember = isBehindComma = isBehindFrom = false;
        angles = 0;
        directive = null;
        noRegexBefore = 0;
        isCommand = true;
        isVariable = isAssigning = isBehindAssignment = false;
    }

    /** The language of the text. */
    CodeLanguage language() {
        return language;
    }

    /** The characters of the token. */
    TokenText text() {
        return text;
    }

    /** The offset of the token's first character. */
    int start() {
        return start;
    }

    /** The offset behind the token's last character. */
    int end() {
        return source.offset();
    }

    TokenKind kind() {
        return kind;
    }

    /** Reads the next token. Returns false at the end of the text. */
    boolean next() throws IOException {
        text.clear();
        if (literal.isWord()) {
            start = source.offset();
            variable();
            return true;
        }
        if (literal.isOpen()) {
            literal.skipBlanks();
            start = source.offset();
            literal.read();
            if (text.length() > 0) {
                finish(TokenKind.STRING, true);
                return true;
            }
            if (literal.isOpen()) {
                openCode();
                return true;
            }
        }
        if (!skipBlanks()) {
            start = source.offset();
            return false;
        }
        start = source.offset();
        wasLineStart = isLineStart;
        isLineStart = false;
        if (!literal.isInCode()) {
            token();
        } else if (literal.closeCode()) {
            symbol(true);
        } else {
            inString();
        }
        return true;
    }

    private void token() throws IOException {
        if (language == CodeLanguage.SHELL) {
            shell();
        } else {
            code();
        }
    }

    private void openCode() throws IOException {
        literal.openCode();
        symbol(false);
        isCommand = text.is("$(") || text.is("`");
        isVariable = text.is("${") && language == CodeLanguage.SHELL;
        isAssigning = isBehindAssignment = false;
        fieldBrackets = 0;
    }

    /** Reads the name of a variable in a string of a shell. */
    private void variable() throws IOException {
        boolean isName = isNameStart(source.peek()) && source.peek() != '$';
        do {
            text.take(1);
        } while (isName && text.hasRoom(1) && isNamePart(source.peek()) && source.peek() != '$');
        finish(TokenKind.NAME, true);
    }

    /** Reads a token of code in a string. */
    private void inString() throws IOException {
        if (literal.isInnerEnd()) {
            text.take(1);
            symbol(text.is(")"));
            literal.count();
            return;
        }
        int next = source.peek(1);
        if (literal.isField() && fieldBrackets == 0 && source.peek() == ':' && next != '=') {
            literal(LiteralReader.Style.FORMAT);
            return;
        }
        boolean isConversion = source.peek() == '!' && isLetter(next) && (source.peek(2) == '}' || source.peek(2) == ':');
        if (literal.isField() && isConversion) {
            text.take(2);
            symbol(true);
            return;
        }
        token();
        if (kind == TokenKind.SYMBOL && literal.isInCode()) {
            literal.count();
            boolean isOpening = text.is("(") || text.is("[");
            fieldBrackets += isOpening ? 1 : text.is(")") || text.is("]") ? -1 : 0;
        }
    }

    /** Skips blanks and comments. Returns false at the end of the text. */
    private boolean skipBlanks() throws IOException {
        while (true) {
            int character = source.peek();
            if (character == Source.END) {
                return false;
            }
            if (character == '\n') {
                isLineStart = true;
                isCommand = true;
                directive = null;
                source.skip(1);
            } else if (character <= ' ' || character == 0xFEFF || Character.isSpaceChar((char) character)) {
                source.skip(1);
            } else if (character == '\\' && isLineBreak(1)) {
                source.skip(source.peek(1) == '\n' ? 2 : 3);
            } else if (!skipComment(character)) {
                return true;
            }
        }
    }

    private boolean isLineBreak(int ahead) throws IOException {
        return source.peek(ahead) == '\n' || source.peek(ahead) == '\r' && source.peek(ahead + 1) == '\n';
    }

    private boolean skipComment(int character) throws IOException {
        if (language == CodeLanguage.PYTHON || language == CodeLanguage.SHELL) {
            if (character != '#') {
                return false;
            }
            skipLine(false);
            return true;
        }
        if (character == '#' && source.offset() == 0 && source.peek(1) == '!') {
            skipLine(false);
            return true;
        }
        if (character != '/') {
            return false;
        }
        if (source.peek(1) == '/') {
            skipLine(isC);
            return true;
        }
        if (source.peek(1) != '*') {
            return false;
        }
        source.skip(2);
        while (source.peek() != Source.END && !(source.peek() == '*' && source.peek(1) == '/')) {
            source.skip(1);
        }
        if (source.peek() != Source.END) {
            source.skip(2);
        }
        return true;
    }

    private void skipLine(boolean mayGoOn) throws IOException {
        while (source.peek() != Source.END && source.peek() != '\n') {
            boolean goesOn = mayGoOn && source.peek() == '\\' && isLineBreak(1);
            source.skip(goesOn ? (source.peek(1) == '\n' ? 2 : 3) : 1);
        }
    }

    private void code() throws IOException {
        int character = source.peek();
        if (isNameStart(character) || character == '\\' && source.peek(1) == 'u' && language == CodeLanguage.JAVASCRIPT) {
            name();
            return;
        }
        if (isDigit(character) || character == '.' && isDigit(source.peek(1))) {
            number();
            return;
        }
        if (character == '"' || character == '\'') {
            quoted(character, "");
            return;
        }
        if (character == '`' && !isC && language != CodeLanguage.PYTHON) {
            boolean isTemplate = language == CodeLanguage.JAVASCRIPT;
            literal(new LiteralReader.Style(character, false, !isTemplate, true, isTemplate ? "${" : "", null));
            return;
        }
        switch (language) {
            case C, CPP -> {
                if (wasLineStart && character == '#') {
                    directive();
                    return;
                }
                if ("include".equals(directive) && character == '<') {
                    header();
                    return;
                }
                boolean isSign = (character == '-' || character == '+')
                        && (isDigit(source.peek(1)) || source.peek(1) == '.' && isDigit(source.peek(2)));
                if (isSign && (!isOperand || isCast) && !isFragment()) {
                    text.take(1);
                    number();
                    return;
                }
            }
            case JAVA -> {
                if (source.isNext("@interface") && !isNamePart(source.peek(10))) {
                    text.take(10);
                    symbol(false);
                    return;
                }
            }
            case JAVASCRIPT -> {
                if (character == '/' && !isOperand && regex()) {
                    return;
                }
                if (character == '#' && isNameStart(source.peek(1))) {
                    name();
                    return;
                }
            }
            default -> {}
        }
        operator(character);
    }

    /** Whether the rest of the line is a macro's text, which is not parsed. */
    private boolean isFragment() {
        return directive != null && !directive.startsWith("if") && !directive.startsWith("el");
    }

    private void directive() throws IOException {
        text.take(1);
        symbol(false);
        int ahead = 0;
        while (source.peek(ahead) == ' ' || source.peek(ahead) == '\t') {
            ahead++;
            if (ahead == Source.AHEAD / 2) {
                break;
            }
        }
        StringBuilder word = new StringBuilder();
        while (word.length() < 16 && isNamePart(source.peek(ahead + word.length()))) {
            word.append((char) source.peek(ahead + word.length()));
        }
        directive = word.toString();
        isDirectiveWord = true;
    }

    private void header() throws IOException {
        while (source.peek() != Source.END && source.peek() != '\n' && source.peek() != '>' && text.hasRoom(2)) {
            text.take(1);
        }
        if (source.peek() == '>') {
            text.take(1);
        }
        finish(TokenKind.STRING, true);
    }

    private void name() throws IOException {
        if (source.peek() == '#') {
            text.take(1);
        }
        while (text.hasRoom(2)) {
            int character = source.peek();
            if (isNamePart(character)) {
                text.take(1);
            } else if (character == '\\' && source.peek(1) == 'u' && language == CodeLanguage.JAVASCRIPT) {
                text.take(2);
            } else {
                break;
            }
        }
        String word = text.upTo(LONGEST_WORD);
        int next = source.peek();
        if ((next == '"' || next == '\'') && language.isPrefix(word)) {
            quoted(next, word);
            return;
        }
        if (language == CodeLanguage.JAVA && word.equals("non") && source.isNext("-sealed")) {
            text.take(7);
            symbol(false);
            return;
        }
        boolean isKeyword = isKeyword(word);
        finish(isKeyword ? TokenKind.SYMBOL : TokenKind.NAME, !isKeyword || isOperandWord(word));
        isTypeWord = isKeyword && isC;
        if (isKeyword && !isTypeArgument(word)) {
            angles = 0;
        }
    }

    /** Whether the word that was just read is a keyword in this context. */
    private boolean isKeyword(String word) throws IOException {
        if (isC && isDirectiveWord) {
            return true;
        }
        if (!language.keywords.contains(word)) {
            return false;
        }
        return switch (language) {
            case C, CPP -> !isFragment() || word.indexOf('_') < 0 || word.equals("size_t");
            case JAVASCRIPT -> !isMember && isJavaScriptKeyword(word);
            case PYTHON -> !isMember && switch (word) {
                case "match", "case" -> wasLineStart && "=.,()[]:".indexOf(nextSolid()) < 0;
                default -> true;
            };
            default -> true;
        };
    }

    private boolean isJavaScriptKeyword(String word) throws IOException {
        int next = nextSolid();
        return switch (word) {
            case "get", "set", "static", "async", "of" -> isNameStart(next) || "'\"[{*#(".indexOf(next) >= 0 && next != '(';
            case "from" -> next == '\'' || next == '"';
            case "as" -> isNameStart(next);
            default -> next != ':' || word.equals("default") && !isBehindComma || isOperandWord(word);
        };
    }

    /** Returns the next character that is neither a space nor a tab, looking past at most 64 of these. */
    private int nextSolid() throws IOException {
        int ahead = 0;
        while (ahead < 64 && (source.peek(ahead) == ' ' || source.peek(ahead) == '\t')) {
            ahead++;
        }
        return source.peek(ahead);
    }

    private static boolean isOperandWord(String word) {
        return switch (word) {
            case "this", "super", "true", "false", "null", "NULL", "nullptr", "undefined", "None", "True", "False" -> true;
            default -> false;
        };
    }

    private static boolean isTypeArgument(String word) {
        return switch (word) {
            case "extends", "super", "int", "char", "long", "short", "byte", "boolean", "float", "double", "bool", "const",
                    "unsigned", "signed", "struct", "void", "auto" -> true;
            default -> word.endsWith("_t");
        };
    }

    private void number() throws IOException {
        boolean isPrefixed = source.peek() == '0' && "xXbBoO".indexOf(source.peek(1)) >= 0;
        boolean isHex = isPrefixed && (source.peek(1) == 'x' || source.peek(1) == 'X');
        boolean hasPoint = false;
        while (text.hasRoom(2)) {
            int character = source.peek();
            int next = source.peek(1);
            boolean isExponent = isHex ? character == 'p' || character == 'P' : character == 'e' || character == 'E';
            if (isExponent && (next == '-' || next == '+') && !(isPrefixed && !isHex)) {
                text.take(2);
            } else if (character < 128 && isNamePart(character) && character != '$') {
                text.take(1);
            } else if (character == '.' && !hasPoint && (language != CodeLanguage.JAVA || next != '.')) {
                hasPoint = true;
                text.take(1);
            } else if (character == '\'' && isC && isNamePart(next)) {
                text.take(1);
            } else {
                break;
            }
        }
        finish(TokenKind.NUMBER, true);
    }

    /** Reads a literal in quotes, whose prefix was already taken. */
    private void quoted(int character, String prefix) throws IOException {
        String closing = isC && prefix.endsWith("R") && character == '"' ? rawClosing() : null;
        if (closing != null) {
            literal(new LiteralReader.Style('"', false, true, true, "", closing));
            return;
        }
        if (character == '\'' && (isC || language == CodeLanguage.JAVA) && !isClosed()) {
            if (text.length() == 0) {
                text.take(1);
                symbol(false);
            } else {
                finish(TokenKind.NAME, true); // what looked like a prefix
            }
            return;
        }
        boolean hasTriples = language == CodeLanguage.PYTHON || language == CodeLanguage.JAVA && character == '"';
        boolean isTriple = hasTriples && source.peek(1) == character && source.peek(2) == character;
        boolean isFormatted = language == CodeLanguage.PYTHON && (prefix.indexOf('f') >= 0 || prefix.indexOf('F') >= 0);
        literal(new LiteralReader.Style(character, isTriple, false, isTriple, isFormatted ? "{" : "", null));
    }

    private void literal(LiteralReader.Style style) throws IOException {
        literal.begin(style);
        finish(TokenKind.STRING, true);
    }

    /** Whether a literal in single quotes ends on its line, within a few characters. */
    private boolean isClosed() throws IOException {
        for (int ahead = 1; ahead < 16; ahead++) {
            int character = source.peek(ahead);
            if (character == '\'') {
                return ahead > 1;
            }
            if (character == Source.END || character == '\n') {
                return false;
            }
            if (character == '\\') {
                ahead++;
            }
        }
        return false;
    }

    /** Returns what ends the raw string of C++ at the next quotation mark, or null if it is not a raw string. */
    private String rawClosing() throws IOException {
        StringBuilder closing = new StringBuilder(")");
        for (int ahead = 1; source.peek(ahead) != '('; ahead++) {
            int character = source.peek(ahead);
            if (ahead > 16 || character <= ' ' || character == '"' || character == '\\' || character == ')') {
                return null;
            }
            closing.append((char) character);
        }
        return closing.append('"').toString();
    }

    /** Reads a regular expression if it ends on this line. */
    private boolean regex() throws IOException {
        if (source.offset() < noRegexBefore) {
            return false; // an earlier call found no end, and looking again at every slash would be slow
        }
        boolean isClass = false;
        int ahead = 1;
        for (; ; ahead++) {
            int character = source.peek(ahead);
            if (character == Source.END || character == '\n' || ahead >= Source.AHEAD - 2) {
                noRegexBefore = source.offset() + ahead;
                return false;
            }
            if (character == '\\') {
                ahead++;
            } else if (character == '[') {
                isClass = true;
            } else if (character == ']') {
                isClass = false;
            } else if (character == '/' && !isClass) {
                break;
            }
        }
        ahead++;
        while (isLetter(source.peek(ahead)) && ahead < Source.AHEAD - 1) {
            ahead++;
        }
        text.take(ahead);
        finish(TokenKind.STRING, true);
        return true;
    }

    private void operator(int character) throws IOException {
        if (character == '>' && angles > 1 && isTypesEnd()) {
            angles--;
            text.take(1);
            symbol(false);
            return;
        }
        int size = 1;
        for (String operator : language.operators) {
            if (operator.length() > size && source.isNext(operator)) {
                boolean isNumber = operator.equals("?.") && isDigit(source.peek(2));
                boolean isPackage = operator.equals("...") && isBehindFrom;
                size = isNumber || isPackage ? 1 : operator.length();
                break;
            }
        }
        boolean wasTypeWord = isTypeWord;
        if (size == 1 && Character.isHighSurrogate((char) character) && source.peek(1) != Source.END) {
            size = 2;
        }
        text.take(size);
        boolean isAngle = size == 1 && (character == '<' || character == '>');
        if (isAngle) {
            angles = character == '<' ? Math.min(angles + 1, MOST_ANGLES) : Math.max(angles - 1, 0);
        } else if (size > 1 ? !text.is("::") : ",?.&[]@*:".indexOf(character) < 0) {
            angles = 0;
        }
        boolean isPostfix = isOperand && (text.is("++") || text.is("--"));
        boolean isClosing = size == 1 && (character == ')' || character == ']');
        symbol(isClosing || isPostfix || size == 1 && character == '}' && language != CodeLanguage.JAVASCRIPT);
        isCast = isClosing && character == ')' && wasTypeWord;
        isTypeWord = wasTypeWord && character == '*';
    }

    /** Whether the angle brackets that come next close type arguments, and are not the beginning of an operator. */
    private boolean isTypesEnd() throws IOException {
        int count = 1;
        while (count <= angles && source.peek(count) == '>') {
            count++;
        }
        return count <= angles && source.peek(count) != '=';
    }

    private void shell() throws IOException {
        int character = source.peek();
        if (character == '\'') {
            literal(new LiteralReader.Style(character, false, true, true, "", null));
        } else if (character == '"') {
            literal(new LiteralReader.Style(character, false, false, true, "$", null));
        } else if (character == '$' && source.peek(1) == '\'') {
            text.take(1);
            literal(new LiteralReader.Style('\'', false, false, true, "", null));
        } else if (isShellWord(character)) {
            shellWord();
        } else {
            operator(character);
            isAssigning = isBehindAssignment = false;
            isCommand = ";&|(`{!".indexOf(text.first()) >= 0 || text.is("$(");
            isVariable = text.is("$") || text.is("${");
        }
    }

    private void shellWord() throws IOException {
        boolean wasVariable = isVariable;
        isVariable = false;
        boolean isName = isNameStart(source.peek());
        boolean isAdded = isAssigning && source.peek() == '+';
        boolean isValue = isAdded || isAssigning && source.peek() == '=';
        int first = source.peek();
        while (text.hasRoom(2)) {
            int character = source.peek();
            boolean isPart = wasVariable ? isNamePart(character) : isShellWord(character) || character == '#' && text.length() > 0;
            if (!isPart && !(wasVariable && text.length() == 0)) {
                break;
            }
            boolean isAssigned = isName && isCommand && text.length() > 0 && isAssignment();
            if (isAssigned || isValue && text.length() == (isAdded ? 2 : 1)) {
                break;
            }
            isName = isName && isNamePart(character);
            text.take(1);
            if (character == '\\' && source.peek() != Source.END && source.peek() != '\n') {
                text.take(1);
            }
            if (wasVariable && isDigit(first)) {
                break;
            }
        }
        isAssigning = isCommand && isName && isAssignment();
        boolean isNumber = isDigit(first) && text.upTo(LONGEST_WORD).chars().allMatch(CodeLexer::isDigit);
        finish(
                wasVariable || isAssigning ? TokenKind.NAME : isNumber ? TokenKind.NUMBER : TokenKind.SYMBOL,
                true);
        isCommand = isAssigning || isValue || isBehindAssignment || isShellKeyword();
        isBehindAssignment = isValue;
    }

    /** Whether an assignment to the name that was read comes next. */
    private boolean isAssignment() throws IOException {
        return source.peek() == '=' || source.peek() == '+' && source.peek(1) == '=';
    }

    private boolean isShellKeyword() {
        return switch (text.upTo(LONGEST_WORD)) {
            case "if", "then", "else", "elif", "do", "while", "until", "local", "export", "env" -> true;
            default -> false;
        };
    }

    private static boolean isShellWord(int character) {
        return character > ' ' && ";&|()<>\"'`${}[]".indexOf(character) < 0;
    }

    private void symbol(boolean operand) {
        finish(TokenKind.SYMBOL, operand);
    }

    private void finish(TokenKind what, boolean operand) {
        kind = what;
        isOperand = operand;
        isDirectiveWord = false;
        isMember = text.is(".") || text.is("?.");
        isBehindComma = text.is(",") || text.is("{");
        isBehindFrom = text.is("from") || isBehindFrom && text.is(".");
        isCast = false;
        if (what != TokenKind.SYMBOL && what != TokenKind.NAME) {
            isTypeWord = false;
        }
    }

    private static boolean isDigit(int character) {
        return character >= '0' && character <= '9';
    }

    private static boolean isLetter(int character) {
        return character >= 'a' && character <= 'z' || character >= 'A' && character <= 'Z';
    }

    private static boolean isNameStart(int character) {
        return isLetter(character) || character == '_' || character == '$' || character >= 128 && isWide(character);
    }

    private static boolean isNamePart(int character) {
        return isNameStart(character) || isDigit(character);
    }

    private static boolean isWide(int character) {
        return Character.isSurrogate((char) character) || Character.isUnicodeIdentifierPart(character);
    }
}
