package wherefrom.elasticsearch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.apache.lucene.tests.util.LuceneTestCase;

/** The vectors that the client's tests read too: a change of the scheme fails the tests of both until both follow. */
public class GoldenVectorsTests extends LuceneTestCase {
    private static JsonNode read(String name) throws IOException {
        try (InputStream file = GoldenVectorsTests.class.getResourceAsStream("/golden.json")) {
            return new ObjectMapper().readTree(file).get(name);
        }
    }

    public void testTheDefaultsAreTheSchemesOfTheClient() throws IOException {
        JsonNode schemes = read("schemes");
        assertEquals(Representation.values().length, schemes.size());
        for (Representation representation : Representation.values()) {
            JsonNode scheme = schemes.get(representation.title());
            Winnowing defaults = Winnowing.ofIndex(representation);
            assertEquals(scheme.get("k").asInt(), defaults.k());
            assertEquals(scheme.get("w").asInt(), defaults.w());
            assertEquals(scheme.get("term_bits").asInt(), Hashing.TERM_BITS);
            assertEquals(scheme.get("sampler").asText(), defaults.sampling().title());
        }
    }

    public void testTokenCodes() throws IOException {
        for (JsonNode vector : read("codes")) {
            long code = Hashing.tokenCode(vector.get("symbol").asText());
            assertEquals(vector.toString(), vector.get("code").asText(), HexFormat.of().toHexDigits(code, 10));
        }
    }

    public void testLettersAndDigits() throws IOException {
        Characters characters = new Characters();
        for (JsonNode vector : read("characters")) {
            List<String> expected = new ArrayList<>();
            vector.get("codes").forEach(code -> expected.add(code.asText()));
            List<String> found = vector.get("text").asText().codePoints()
                    .mapToLong(characters::code)
                    .filter(code -> code != Characters.NONE)
                    .mapToObj(code -> HexFormat.of().toHexDigits(code, 10))
                    .toList();
            assertEquals(expected, found);
        }
    }

    public void testTokensOfCode() throws IOException {
        for (JsonNode vector : read("sources")) {
            List<String> expected = new ArrayList<>();
            vector.get("codes").forEach(code -> expected.add(code.asText()));
            CodeLanguage language = CodeLanguage.valueOf(vector.get("language").asText().toUpperCase(Locale.ROOT));
            List<String> found = new ArrayList<>();
            List<String> terms = new ArrayList<>();
            try (CodeTokenizer tokenizer = new CodeTokenizer(language)) {
                tokenizer.setReader(new StringReader(vector.get("text").asText()));
                CharTermAttribute term = tokenizer.addAttribute(CharTermAttribute.class);
                tokenizer.reset();
                while (tokenizer.incrementToken()) {
                    terms.add(term.toString());
                    found.add(HexFormat.of().toHexDigits(Hashing.tokenCode(term.toString()), 10));
                }
                tokenizer.end();
            }
            assertEquals(language + " " + terms, expected, found);
        }
    }

    public void testHashesOfAllKGrams() throws IOException {
        for (JsonNode vector : read("streams")) {
            Fingerprinter all = new Fingerprinter(winnowing(vector, 1));
            List<String> hashes = new ArrayList<>();
            run(all, vector, () -> hashes.add(HexFormat.of().toHexDigits(all.hash())));
            List<String> expected = new ArrayList<>();
            vector.get("hashes").forEach(hash -> expected.add(hash.asText()));
            assertEquals(vector.get("about").asText(), expected, hashes);
        }
    }

    public void testKeptHashesAndTerms() throws IOException {
        for (JsonNode vector : read("streams")) {
            Fingerprinter fingerprinter = new Fingerprinter(winnowing(vector, vector.get("w").asInt()));
            List<String> found = new ArrayList<>();
            char[] term = new char[Hashing.TERM_LENGTH];
            run(fingerprinter, vector, () -> {
                Hashing.write(fingerprinter.term(), term);
                assertEquals(fingerprinter.term(), Hashing.read(term, 0));
                found.add(fingerprinter.position() + " " + new String(term));
            });
            List<String> expected = new ArrayList<>();
            for (int at = 0; at < vector.get("kept").size(); at++) {
                expected.add(vector.get("kept").get(at).asInt() + " " + vector.get("terms").get(at).asText());
            }
            assertEquals(vector.get("about").asText(), expected, found);
        }
    }

    private static Winnowing winnowing(JsonNode vector, int w) {
        Representation representation =
                Representation.valueOf(vector.get("representation").asText().toUpperCase(Locale.ROOT));
        Sampling sampling = Sampling.of(vector.get("sampler").asText());
        return new Winnowing(representation, vector.get("k").asInt(), w, sampling, false);
    }

    private static void run(Fingerprinter fingerprinter, JsonNode vector, Runnable found) {
        fingerprinter.reset();
        for (JsonNode token : vector.get("tokens")) {
            TokenKind kind = TokenKind.valueOf(token.get(1).asText().toUpperCase(Locale.ROOT));
            if (fingerprinter.add(Hashing.tokenCode(token.get(0).asText()), kind, 0, 0)) {
                found.run();
            }
        }
        if (fingerprinter.finish()) {
            found.run();
        }
    }
}
