package wherefrom.elasticsearch;

import java.io.IOException;
import java.io.Reader;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.Tokenizer;
import org.apache.lucene.analysis.core.KeywordTokenizer;
import org.apache.lucene.analysis.core.WhitespaceTokenizer;
import org.apache.lucene.analysis.standard.StandardTokenizer;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.apache.lucene.analysis.tokenattributes.PositionIncrementAttribute;
import org.apache.lucene.tests.analysis.BaseTokenStreamTestCase;

/** The analyzers under Lucene's own checks of a token stream, and what they give. */
public class AnalyzersTests extends BaseTokenStreamTestCase {
    private static final WinnowSettings DEFAULTS = settings("", "", "", "", "");

    private static final String CODE =
            """
            static int area(List<int[]> points) {
                int total = 0; // so far
                for (int[] point : points) {
                    total += point[0] * point[1];
                }
                return total;
            }
            """;

    static WinnowSettings settings(String representation, String k, String w, String sampler, String unique) {
        record Settings(String representation, String k, String w, String sampler, String unique)
                implements WinnowSettings {}
        return new Settings(representation, k, w, sampler, unique);
    }

    private static LexerSettings language(String name) {
        return () -> name;
    }

    private static Analyzer analyzer(java.util.function.Supplier<Tokenizer> tokenizer, WinnowSettings settings) {
        return new Analyzer() {
            @Override
            protected TokenStreamComponents createComponents(String field) {
                Tokenizer source = tokenizer.get();
                return new TokenStreamComponents(source, new WinnowFilterFactory(settings).create(source));
            }
        };
    }

    private static List<Analyzer> ready() {
        return List.of(
                new CodeAnalyzerFactory(DEFAULTS, language("")).create(),
                new CodeSearchAnalyzerFactory(DEFAULTS, language("")).create(),
                new TextAnalyzerFactory(DEFAULTS).create(),
                new TextSearchAnalyzerFactory(DEFAULTS).create());
    }

    private static List<String> terms(Analyzer analyzer, String text) throws IOException {
        List<String> terms = new ArrayList<>();
        try (TokenStream stream = analyzer.tokenStream("field", text)) {
            CharTermAttribute term = stream.addAttribute(CharTermAttribute.class);
            stream.reset();
            while (stream.incrementToken()) {
                terms.add(term.toString());
            }
            stream.end();
        }
        return terms;
    }

    public void testTheReadyAnalyzersHoldOnRandomText() throws IOException {
        for (Analyzer analyzer : ready()) {
            checkRandomData(random(), analyzer, 100 * RANDOM_MULTIPLIER, 2_000);
            analyzer.close();
        }
    }

    public void testEveryLanguageAndRepresentationHoldsOnRandomText() throws IOException {
        for (CodeLanguage language : CodeLanguage.values()) {
            for (String representation : List.of("exact", "renamed", "p_match")) {
                Analyzer analyzer =
                        analyzer(() -> new CodeTokenizer(language), settings(representation, "2", "2", "", ""));
                checkRandomData(random(), analyzer, 20 * RANDOM_MULTIPLIER, 300);
                analyzer.close();
            }
        }
    }

    public void testTheTokenizersHoldOnRandomText() throws IOException {
        for (CodeLanguage language : CodeLanguage.values()) {
            Analyzer analyzer = new Analyzer() {
                @Override
                protected TokenStreamComponents createComponents(String field) {
                    return new TokenStreamComponents(new CodeTokenizer(language));
                }
            };
            checkRandomData(random(), analyzer, 50 * RANDOM_MULTIPLIER, 500);
            analyzer.close();
        }
    }

    public void testTheFilterWorksBehindAnyTokenizer() throws IOException {
        for (String representation : List.of("", "renamed", "p_match", "text")) {
            for (var tokenizer : List.<java.util.function.Supplier<Tokenizer>>of(
                    StandardTokenizer::new, WhitespaceTokenizer::new, KeywordTokenizer::new)) {
                Analyzer analyzer = analyzer(tokenizer, settings(representation, "3", "2", "", ""));
                checkRandomData(random(), analyzer, 20 * RANDOM_MULTIPLIER, 300);
                analyzer.close();
            }
        }
    }

    public void testAFingerprintStandsAtItsFirstTokenAndSpansItsKGram() throws IOException {
        Analyzer analyzer = analyzer(WhitespaceTokenizer::new, settings("", "2", "1", "", ""));
        assertAnalyzesTo(
                analyzer,
                "one two  three",
                terms(analyzer, "one two  three").toArray(String[]::new),
                new int[] {0, 4},
                new int[] {7, 14},
                new String[] {WinnowFilter.TYPE, WinnowFilter.TYPE},
                new int[] {1, 1});
        analyzer.close();
    }

    public void testUniqueLeavesOutWhatWasThereAndKeepsPositions() throws IOException {
        String text = "a b a b a b c d";
        Analyzer all = analyzer(WhitespaceTokenizer::new, settings("", "2", "1", "", ""));
        Analyzer unique = analyzer(WhitespaceTokenizer::new, settings("", "2", "1", "", "true"));
        List<String> terms = terms(all, text);
        assertEquals(7, terms.size());
        assertEquals(terms.stream().distinct().toList(), terms(unique, text));
        try (TokenStream stream = unique.tokenStream("field", text)) {
            PositionIncrementAttribute increment = stream.addAttribute(PositionIncrementAttribute.class);
            List<Integer> positions = new ArrayList<>();
            int position = -1;
            stream.reset();
            while (stream.incrementToken()) {
                position += increment.getPositionIncrement();
                positions.add(position);
            }
            stream.end();
            assertEquals(List.of(0, 1, 5, 6), positions);
            assertEquals("the next value begins behind the last token", 1, increment.getPositionIncrement());
        }
        all.close();
        unique.close();
    }

    public void testASearchTwinLooksUpWhatItsIndexAnalyzerKept() throws IOException {
        List<Analyzer> analyzers = ready();
        String prose = "Winnowing keeps the least hash of every window, and thereby a shared run is always seen. ".repeat(9);
        for (int at = 0; at < analyzers.size(); at += 2) {
            String text = at == 0 ? CODE : prose;
            List<String> indexed = terms(analyzers.get(at), text);
            List<String> searched = terms(analyzers.get(at + 1), text);
            assertFalse(searched.isEmpty());
            assertTrue(searched.size() < indexed.size());
            assertTrue(indexed.containsAll(searched));
            assertEquals(searched.stream().distinct().toList(), searched);
        }
        analyzers.forEach(Analyzer::close);
    }

    public void testCommentsBlanksAndTheNameOfTheFileChangeNothing() throws IOException {
        try (Analyzer analyzer = ready().get(0)) {
            String other = CODE.replace("// so far", "/* a sum\n of products */").replace("    ", "\t");
            assertEquals(terms(analyzer, CODE), terms(analyzer, other));
        }
    }

    public void testTheSourceMayGiveAnyNumberOfCharactersAtATime() throws IOException {
        String text = CODE.repeat(500);
        for (Analyzer analyzer : ready()) {
            List<String> expected = terms(analyzer, text);
            List<String> found = new ArrayList<>();
            try (TokenStream stream = analyzer.tokenStream("field", new Dripping(text))) {
                CharTermAttribute term = stream.addAttribute(CharTermAttribute.class);
                stream.reset();
                while (stream.incrementToken()) {
                    found.add(term.toString());
                }
                stream.end();
            }
            assertEquals(expected, found);
            analyzer.close();
        }
    }

    public void testALongTokenIsGivenInPieces() throws IOException {
        for (String text : List.of("\"" + "x".repeat(50_000) + "\" end", "x".repeat(50_000) + " end", "9".repeat(50_000) + " end")) {
            for (CodeLanguage language : CodeLanguage.values()) {
                try (CodeTokenizer tokenizer = new CodeTokenizer(language)) {
                    tokenizer.setReader(new StringReader(text));
                    CharTermAttribute term = tokenizer.addAttribute(CharTermAttribute.class);
                    StringBuilder whole = new StringBuilder();
                    tokenizer.reset();
                    while (tokenizer.incrementToken()) {
                        assertTrue(term.length() <= TokenText.LONGEST);
                        whole.append(term);
                    }
                    tokenizer.end();
                    assertEquals(text.replaceAll("[ \"]", ""), whole.toString().replace("\"", "")); // a piece of a string is closed
                }
            }
        }
    }

    public void testNoTokenIsTooLongForItsBuffer() throws IOException {
        List<String> openings = List.of(
                "", "\"", "R\"x(", "'''", "f\"{", "`${", "#include <", "$(", "x=", "0x1", ".1", "/", "#", "\\u");
        List<String> closings = List.of(">", ")x\"", "\\n\"", "/", "}}", "'", "e+1", "\\u0041", "");
        for (CodeLanguage language : CodeLanguage.values()) {
            for (String opening : openings) {
                for (int length = TokenText.LONGEST - 6; length < TokenText.LONGEST + 3; length++) {
                    String body = (opening.endsWith("1") ? "1" : "x").repeat(length);
                    for (String closing : closings) {
                        CodeLexer lexer = new CodeLexer(language, new Source(new StringReader(opening + body + closing)));
                        lexer.reset();
                        while (lexer.next()) {
                            assertTrue(lexer.text().length() <= TokenText.LONGEST);
                        }
                    }
                }
            }
        }
    }

    public void testHowFarTheLexerLooksAheadIsBounded() throws IOException {
        int count = 20_000;
        List<String> texts = List.of(
                "< ".repeat(count) + ">".repeat(count),
                "=[/".repeat(count),
                "#  ".repeat(count),
                "'\\".repeat(count),
                "R\"".repeat(count),
                "> ".repeat(count));
        for (String text : texts) {
            for (CodeLanguage language : CodeLanguage.values()) {
                Counting source = new Counting(text);
                CodeLexer lexer = new CodeLexer(language, source);
                lexer.reset();
                while (lexer.next()) {
                    assertTrue(lexer.text().length() > 0);
                }
                assertTrue(language + ": " + text.substring(0, 4), source.looks < 200L * text.length());
            }
        }
    }

    /** Counts how often a character is looked at. */
    private static final class Counting extends Source {
        private long looks;

        Counting(String text) {
            super(new StringReader(text));
        }

        @Override
        int peek(int ahead) throws IOException {
            looks++;
            return super.peek(ahead);
        }
    }

    public void testAFieldOfTokensIsReadAndAnythingElseInItIsSaid() throws IOException {
        char[] code = new char[Hashing.TERM_LENGTH];
        Hashing.write(Hashing.tokenCode("x"), code);
        String token = "n" + new String(code);
        Analyzer analyzer = analyzer(TokensTokenizer::new, settings("", "2", "1", "", ""));
        Analyzer words = analyzer(WhitespaceTokenizer::new, settings("", "2", "1", "", ""));
        assertEquals(terms(words, "x x"), terms(analyzer, "  " + token + "\n" + token + " "));
        assertEquals(List.of(), terms(analyzer, ""));
        analyzer.close();
        words.close();
        for (String wrong : List.of("int total", token + token, token.substring(1), "q" + token.substring(1), token + "x", "n======A", "😀")) {
            Analyzer fresh = analyzer(TokensTokenizer::new, settings("", "2", "1", "", ""));
            IllegalArgumentException error = expectThrows(IllegalArgumentException.class, () -> terms(fresh, wrong));
            assertTrue(error.getMessage(), error.getMessage().contains("is not a token"));
            fresh.close();
        }
    }

    /** Gives a character at a time, and sometimes nothing. */
    private static final class Dripping extends Reader {
        private final String text;
        private int at;
        private boolean isIdle;

        Dripping(String text) {
            this.text = text;
        }

        @Override
        public int read(char[] to, int offset, int length) {
            isIdle = !isIdle;
            if (isIdle) {
                return 0;
            }
            if (at == text.length()) {
                return -1;
            }
            to[offset] = text.charAt(at++);
            return 1;
        }

        @Override
        public void close() {}
    }
}
