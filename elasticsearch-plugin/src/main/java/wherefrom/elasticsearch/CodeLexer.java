package wherefrom.elasticsearch;

import java.io.IOException;
import java.util.Arrays;

/**
 * A small lexer for languages like C, for Python and for shells: strings, comments, numbers, operators, names. It cuts
 * code where the client's parser does, as far as that can be told without parsing; {@code docs/elasticsearch-plugin.md}
 * names what differs.
 *
 * <p>No text makes it fail, and its memory does not depend on the text: a longer token is given in pieces.
 */
final class CodeLexer {
    /** Characters of a token; a longer one would not fit into an index if nothing winnowed it. */
    static final int LONGEST = 10_922;

    private static final int NESTED = 64;

    /** What a literal is in, in the stack of what is open: text, a quoted text in code; from 0 on the open braces in code. */
    private static final int TEXT = -1;

    private static final int SINGLE = -2;
    private static final int DOUBLE = -3;

    private final CodeLanguage chosen;
    private final Source source;
    private char[] text = new char[256];
    private CodeLanguage language;
    private boolean isC;
    private int length;
    private int start;
    private TokenKind kind;

    // The literal that is read.
    private boolean isOpen;
    private int quote;
    private boolean isTriple;
    private boolean isRaw;
    private boolean hasLines;
    private char interpolation;
    private String closing;
    private final int[] nested = new int[NESTED];
    private int depth;

    // What stands before.
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
    private boolean isCommand;
    private boolean isAssigning;
    private boolean isBehindAssignment;

    /**
     * Makes it for a language.
     *
     * @param language null: guessed from the beginning of each text
     * @param source where the text comes from
     */
    CodeLexer(CodeLanguage language, Source source) {
        chosen = language;
        this.source = source;
    }

    /** Begins the text that the source begins. */
    void reset() throws IOException {
        language = chosen != null ? chosen : CodeLanguage.guess(source.next());
        isC = language == CodeLanguage.C || language == CodeLanguage.CPP;
        length = start = 0;
        isOpen = false;
        isLineStart = true;
        isOperand = isCast = isTypeWord = isDirectiveWord = isMember = isBehindComma = isBehindFrom = false;
        angles = 0;
        directive = null;
        isCommand = true;
        isAssigning = isBehindAssignment = false;
    }

    /** The characters of the token; the first {@link #length} of them. */
    char[] text() {
        return text;
    }

    int length() {
        return length;
    }

    /** The offset of its first character. */
    int start() {
        return start;
    }

    /** The offset behind its last character. */
    int end() {
        return source.offset();
    }

    TokenKind kind() {
        return kind;
    }

    /** Reads the next token; whether there is one. */
    boolean next() throws IOException {
        length = 0;
        if (isOpen) {
            start = source.offset();
            literal();
            if (length > 0) {
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
        if (language == CodeLanguage.SHELL) {
            shell();
        } else {
            code();
        }
        return true;
    }

    /** Goes to the next token; whether there is one. */
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
            begin(character, false, language == CodeLanguage.JAVA, true, language == CodeLanguage.JAVASCRIPT ? '$' : 0);
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
                    take(1);
                    number();
                    return;
                }
            }
            case JAVA -> {
                if (source.isNext("@interface") && !isNamePart(source.peek(10))) {
                    take(10);
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
        take(1);
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
        while (source.peek() != Source.END && source.peek() != '\n' && source.peek() != '>' && length < LONGEST) {
            take(1);
        }
        if (source.peek() == '>') {
            take(1);
        }
        finish(TokenKind.STRING, true);
    }

    private void name() throws IOException {
        if (source.peek() == '#') {
            take(1);
        }
        while (length < LONGEST - 1) {
            int character = source.peek();
            if (isNamePart(character)) {
                take(1);
            } else if (character == '\\' && source.peek(1) == 'u' && language == CodeLanguage.JAVASCRIPT) {
                take(2);
            } else {
                break;
            }
        }
        boolean isShort = length <= 32;
        String word = isShort ? new String(text, 0, length) : "";
        int next = source.peek();
        if ((next == '"' || next == '\'') && isShort && language.isPrefix(word)) {
            quoted(next, word);
            return;
        }
        if (language == CodeLanguage.JAVA && word.equals("non") && source.isNext("-sealed")) {
            take(7);
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

    /** Whether a word is a keyword where it stands. */
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

    /** The next character on the line that is not blank, {@link Source#END} where none is near. */
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
        while (length < LONGEST) {
            int character = source.peek();
            int next = source.peek(1);
            boolean isExponent = isHex ? character == 'p' || character == 'P' : character == 'e' || character == 'E';
            if (isExponent && (next == '-' || next == '+') && !(isPrefixed && !isHex) && length + 1 < LONGEST) {
                take(2);
            } else if (character < 128 && isNamePart(character) && character != '$') {
                take(1);
            } else if (character == '.' && !hasPoint && (language != CodeLanguage.JAVA || next != '.')) {
                hasPoint = true;
                take(1);
            } else if (character == '\'' && isC && isNamePart(next)) {
                take(1);
            } else {
                break;
            }
        }
        finish(TokenKind.NUMBER, true);
    }

    /** A literal in quotes, of which the prefix was taken. */
    private void quoted(int character, String prefix) throws IOException {
        if (isC && prefix.endsWith("R") && character == '"' && rawString()) {
            return;
        }
        boolean hasTriples = language == CodeLanguage.PYTHON || language == CodeLanguage.JAVA && character == '"';
        boolean triple = hasTriples && source.peek(1) == character && source.peek(2) == character;
        if (character == '\'' && (isC || language == CodeLanguage.JAVA) && !isClosed()) {
            if (length == 0) {
                take(1);
                symbol(false);
            } else {
                finish(TokenKind.NAME, true); // what looked like a prefix
            }
            return;
        }
        boolean isFormatted = language == CodeLanguage.PYTHON && (prefix.indexOf('f') >= 0 || prefix.indexOf('F') >= 0);
        begin(character, triple, false, triple, isFormatted ? '{' : 0);
    }

    /** Whether a literal in single quotes ends on its line, soon. */
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

    /** A raw string of C++: its delimiter stands before the parenthesis. */
    private boolean rawString() throws IOException {
        StringBuilder delimiter = new StringBuilder(")");
        for (int ahead = 1; source.peek(ahead) != '('; ahead++) {
            int character = source.peek(ahead);
            if (ahead > 16 || character <= ' ' || character == '"' || character == '\\' || character == ')') {
                return false;
            }
            delimiter.append((char) character);
        }
        begin('"', false, true, true, (char) 0);
        return true;
    }

    /** Begins a literal at its opening quote, and reads it. */
    private void begin(int character, boolean triple, boolean raw, boolean lines, int interpolated) throws IOException {
        closing = null;
        if (raw && character == '"') {
            StringBuilder delimiter = new StringBuilder(")");
            for (int ahead = 1; source.peek(ahead) != '('; ahead++) {
                delimiter.append((char) source.peek(ahead));
            }
            closing = delimiter.append('"').toString();
        }
        quote = character;
        isTriple = triple;
        isRaw = raw;
        hasLines = lines;
        interpolation = (char) interpolated;
        depth = 0;
        nested[0] = TEXT;
        isOpen = true;
        take(triple ? 3 : 1);
        literal();
    }

    /** Reads on in the literal that is open, to its end or as far as a token reaches. */
    private void literal() throws IOException {
        while (isOpen && length < LONGEST - 4) {
            int character = source.peek();
            if (character == Source.END || character == '\n' && !hasLines) {
                isOpen = false;
            } else if (closing != null) {
                boolean isEnd = source.isNext(closing);
                isOpen = !isEnd;
                take(1);
                for (int rest = 1; isEnd && rest < closing.length() && length < LONGEST; rest++) {
                    take(1);
                }
            } else if (character == '\\' && !isRaw && source.peek(1) != Source.END) {
                take(source.peek(1) == '\r' && source.peek(2) == '\n' ? 3 : 2);
            } else if (nested[depth] == TEXT) {
                inText(character);
            } else {
                inCode(character);
            }
        }
        trim();
        finish(TokenKind.STRING, true);
    }

    private void inText(int character) throws IOException {
        if (depth > 0 && character == quote && !isTriple || character == quote && depth == 0 && isEnd()) {
            take(isTriple ? 3 : 1);
            isOpen = --depth >= 0;
            depth = Math.max(depth, 0);
        } else if (interpolation == '{' && character == '{') {
            boolean isDoubled = source.peek(1) == '{';
            take(isDoubled ? 2 : 1);
            if (!isDoubled) {
                open(0);
            }
        } else if (interpolation == '$' && character == '$' && source.peek(1) == opening()) {
            take(2);
            open(0);
        } else {
            take(1);
        }
    }

    private boolean isEnd() throws IOException {
        return !isTriple || source.peek(1) == quote && source.peek(2) == quote;
    }

    private void inCode(int character) throws IOException {
        int top = nested[depth];
        take(1);
        if (top == SINGLE || top == DOUBLE) {
            if (character == (top == SINGLE ? '\'' : '"') || character == '\n') {
                depth--;
            }
        } else if (character == opening()) {
            nested[depth]++;
        } else if (character == (opening() == '(' ? ')' : '}')) {
            if (nested[depth]-- == 0) {
                depth--;
            }
        } else if (character == '`' && language == CodeLanguage.JAVASCRIPT) {
            open(TEXT);
        } else if (character == '\'' || character == '"') {
            open(character == '\'' ? SINGLE : DOUBLE);
        }
    }

    /** The bracket that counts inside what is interpolated. */
    private int opening() {
        return language == CodeLanguage.SHELL ? '(' : '{';
    }

    private void open(int what) {
        if (depth < NESTED - 1) {
            nested[++depth] = what;
        }
    }

    /** Leaves out blanks at the end of a literal that was never closed. */
    private void trim() {
        while (!isOpen && length > 1 && text[length - 1] <= ' ') {
            length--;
        }
    }

    private boolean regex() throws IOException {
        boolean isClass = false;
        int ahead = 1;
        for (; ; ahead++) {
            int character = source.peek(ahead);
            if (character == Source.END || character == '\n' || ahead >= Source.AHEAD - 2) {
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
        take(ahead);
        finish(TokenKind.STRING, true);
        return true;
    }

    private void operator(int character) throws IOException {
        if (character == '>' && angles > 1 && isTypesEnd()) {
            angles--;
            take(1);
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
        boolean wasTypeWord = isTypeWord || character == '*' && isTypeWord;
        if (size == 1 && Character.isHighSurrogate((char) character) && source.peek(1) != Source.END) {
            size = 2;
        }
        take(size);
        boolean isAngle = size == 1 && (character == '<' || character == '>');
        if (isAngle) {
            angles = character == '<' ? angles + 1 : Math.max(angles - 1, 0);
        } else if (size > 1 ? text[0] != ':' : ",?.&[]@*:".indexOf(character) < 0) {
            angles = 0;
        }
        boolean isPostfix = size == 2 && isOperand && (character == '+' || character == '-') && text[1] == character;
        boolean isClosing = size == 1 && (character == ')' || character == ']');
        symbol(isClosing || isPostfix || size == 1 && character == '}' && language != CodeLanguage.JAVASCRIPT);
        isCast = isClosing && character == ')' && wasTypeWord;
        isTypeWord = wasTypeWord && character == '*';
    }

    /** Whether the angle brackets that come next, and nothing behind them, close type arguments. */
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
            begin(character, false, true, true, 0);
        } else if (character == '"') {
            begin(character, false, false, true, '$');
        } else if (character == '$' && source.peek(1) == '\'') {
            take(1);
            begin('\'', false, false, true, 0);
        } else if (isShellWord(character)) {
            shellWord();
        } else {
            operator(character);
            isAssigning = isBehindAssignment = false;
            isCommand = ";&|(`{!".indexOf(text[0]) >= 0 || length > 1 && text[0] == '$' && text[1] == '(';
            if (text[0] == '$' && (length == 1 || text[1] == '{')) {
                shellVariable();
            }
        }
    }

    /** Leaves what stands behind a {@code $} to the next token. */
    private void shellVariable() {
        directive = "$";
    }

    private void shellWord() throws IOException {
        boolean isVariable = "$".equals(directive);
        directive = null;
        boolean isName = isNameStart(source.peek());
        boolean isAdded = isAssigning && source.peek() == '+';
        boolean isValue = isAdded || isAssigning && source.peek() == '=';
        int first = source.peek();
        while (length < LONGEST - 1) {
            int character = source.peek();
            boolean isPart = isVariable ? isNamePart(character) : isShellWord(character) || character == '#' && length > 0;
            if (!isPart && !(isVariable && length == 0)) {
                break;
            }
            boolean isAssigned = isName && isCommand && length > 0 && isAssignment();
            if (isAssigned || isValue && length == (isAdded ? 2 : 1)) {
                break;
            }
            isName = isName && isNamePart(character);
            take(1);
            if (character == '\\' && source.peek() != Source.END && source.peek() != '\n') {
                take(1);
            }
            if (isVariable && isDigit(first)) {
                break;
            }
        }
        isAssigning = isCommand && isName && isAssignment();
        boolean isNumber = isDigit(first) && new String(text, 0, length).chars().allMatch(CodeLexer::isDigit);
        finish(
                isVariable || isAssigning ? TokenKind.NAME : isNumber ? TokenKind.NUMBER : TokenKind.SYMBOL,
                true);
        isCommand = isAssigning || isValue || isBehindAssignment || isShellKeyword();
        isBehindAssignment = isValue;
    }

    /** Whether a value comes next, for the name that was read. */
    private boolean isAssignment() throws IOException {
        return source.peek() == '=' || source.peek() == '+' && source.peek(1) == '=';
    }

    private boolean isShellKeyword() {
        if (length > 6) {
            return false;
        }
        return switch (new String(text, 0, length)) {
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
        boolean isDot = length == 1 && text[0] == '.';
        isMember = isDot || length == 2 && text[0] == '?' && text[1] == '.';
        isBehindComma = length == 1 && (text[0] == ',' || text[0] == '{');
        isBehindFrom = isDot && isBehindFrom
                || length == 4 && text[0] == 'f' && text[1] == 'r' && text[2] == 'o' && text[3] == 'm';
        isCast = false;
        if (what != TokenKind.SYMBOL && what != TokenKind.NAME) {
            isTypeWord = false;
        }
    }

    /** Takes so many characters into the token. */
    private void take(int count) throws IOException {
        for (int taken = 0; taken < count; taken++) {
            int character = source.peek();
            if (character == Source.END) {
                return;
            }
            if (length == text.length) {
                text = Arrays.copyOf(text, Math.min(2 * length, LONGEST));
            }
            text[length++] = (char) character;
            source.skip(1);
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
