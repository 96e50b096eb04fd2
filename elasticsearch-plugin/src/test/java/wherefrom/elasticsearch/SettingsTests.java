package wherefrom.elasticsearch;

import java.util.List;
import java.util.Map;
import org.apache.lucene.tests.util.LuceneTestCase;

/** Settings: what is given, what is not, and what is wrong. */
public class SettingsTests extends LuceneTestCase {
    public void testDefaultsFollowTheRepresentation() {
        Winnowing text = Winnowing.of(AnalyzersTests.settings("text", "", "", "", ""), Representation.EXACT, false);
        assertEquals(Winnowing.ofIndex(Representation.TEXT), text);
        Winnowing search = Winnowing.of(AnalyzersTests.settings("p_match", "", "", "", ""), Representation.EXACT, true);
        assertEquals(new Winnowing(Representation.P_MATCH, 12, 26, Sampling.OPEN_CLOSED, true), search);
    }

    public void testWhatIsGivenHolds() {
        Winnowing given =
                Winnowing.of(AnalyzersTests.settings("renamed", "5", "3", "plain", "true"), Representation.EXACT, false);
        assertEquals(new Winnowing(Representation.RENAMED, 5, 3, Sampling.PLAIN, true), given);
    }

    public void testAWrongSettingIsNamedInOneSentence() {
        Map<WinnowSettings, String> wrong = Map.of(
                AnalyzersTests.settings("exakt", "", "", "", ""),
                "the setting [representation] must be exact, renamed, p_match or text, not [exakt]",
                AnalyzersTests.settings("", "0", "", "", ""),
                "the setting [k] must be a whole number from 1 to 1024, not [0]",
                AnalyzersTests.settings("p_match", "65", "", "", ""),
                "the setting [k] must be a whole number from 1 to 64, not [65]",
                AnalyzersTests.settings("", "", "many", "", ""),
                "the setting [w] must be a whole number from 1 to 4096, not [many]",
                AnalyzersTests.settings("", "", "2.5", "", ""),
                "the setting [w] must be a whole number from 1 to 4096, not [2.5]",
                AnalyzersTests.settings("", "", "", "robust_winnow", ""),
                "the setting [sampler] must be open_closed, robust or plain, not [robust_winnow]",
                AnalyzersTests.settings("", "", "", "", "yes"),
                "the setting [unique] must be true or false, not [yes]",
                AnalyzersTests.settings("", "9".repeat(1_000), "", "", ""),
                "the setting [k] must be a whole number from 1 to 1024, not [" + "9".repeat(50) + "...]");
        wrong.forEach((settings, message) -> {
            var error = expectThrows(
                    IllegalArgumentException.class, () -> Winnowing.of(settings, Representation.EXACT, false));
            assertEquals(message, error.getMessage());
        });
        var error = expectThrows(IllegalArgumentException.class, () -> CodeLanguage.of(() -> "cobol"));
        assertEquals(
                "the setting [language] must be auto, c, cpp, java, javascript, python or shell, not [cobol]",
                error.getMessage());
    }

    public void testALanguageThatTheLexerReadsOtherwiseIsRefused() {
        for (String language : List.of("rust", "go", "typescript")) {
            for (String representation : List.of("renamed", "p_match", "exact")) {
                try (var analyzer = new CodeAnalyzerFactory(
                                AnalyzersTests.settings(representation, "", "", "", ""), () -> language)
                        .create()) {
                    var error = expectThrows(
                            IllegalArgumentException.class, () -> analyzer.tokenStream("code", "fn main() {}"));
                    assertEquals(
                            "the setting [language] cannot be " + language + ", whose tokens the lexer reads otherwise "
                                    + "than wherefrom; let wherefrom fill the fields, as plugin_fields does",
                            error.getMessage());
                }
            }
        }
    }

    public void testNothingIsSaidBeforeAComponentIsUsed() {
        WinnowSettings wrong = AnalyzersTests.settings("", "0", "", "", "");
        new CodeAnalyzerFactory(wrong, () -> "cobol").create().close();
        new CodeSearchAnalyzerFactory(wrong, () -> "cobol").create().close();
        new TextAnalyzerFactory(wrong).create().close();
        new TextSearchAnalyzerFactory(wrong).create().close();
        assertNotNull(List.of(new WinnowFilterFactory(wrong), new CodeTokenizerFactory(() -> "cobol")));
    }
}
