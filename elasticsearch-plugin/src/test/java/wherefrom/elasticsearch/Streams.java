package wherefrom.elasticsearch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.Tokenizer;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.apache.lucene.analysis.tokenattributes.OffsetAttribute;
import org.apache.lucene.analysis.tokenattributes.PositionIncrementAttribute;
import org.apache.lucene.analysis.tokenattributes.TypeAttribute;

/**
 * Analyzes what it reads from standard input, a JSON object a line, and writes the tokens of each, a line of JSON: the
 * client's tests compare them with its own.
 *
 * <p>{@code unassigned}: asks for the code points that this Java does not know. {@code tokenizer}: {@code code}, {@code text} or {@code tokens}, of {@code text}; or none, and {@code tokens} has
 * texts and kinds. {@code language}: for code. {@code winnow}: the settings of the filter; without it the tokens are not filtered.
 */
public final class Streams {
    private static final ObjectMapper JSON = new ObjectMapper();

    private Streams() {}

    public static void main(String[] arguments) throws IOException {
        try (BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
                BufferedWriter out = new BufferedWriter(new OutputStreamWriter(System.out, StandardCharsets.UTF_8))) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                out.write(analyzed(JSON.readTree(line)).toString());
                out.write('\n');
                if (!in.ready()) {
                    out.flush();
                }
            }
        }
    }

    private static ArrayNode analyzed(JsonNode asked) throws IOException {
        if (asked.has("unassigned")) {
            return unassigned();
        }
        TokenStream source = source(asked);
        TokenStream stream = asked.has("winnow")
                ? new WinnowFilterFactory(settings(asked.get("winnow"))).create(source)
                : source;
        ArrayNode tokens = JSON.createArrayNode();
        CharTermAttribute term = stream.addAttribute(CharTermAttribute.class);
        OffsetAttribute offset = stream.addAttribute(OffsetAttribute.class);
        PositionIncrementAttribute increment = stream.addAttribute(PositionIncrementAttribute.class);
        TypeAttribute type = stream.addAttribute(TypeAttribute.class);
        int position = -1;
        try (stream) {
            stream.reset();
            while (stream.incrementToken()) {
                position += increment.getPositionIncrement();
                ObjectNode token = tokens.addObject();
                token.put("term", term.toString());
                token.put("position", position);
                token.put("start", offset.startOffset());
                token.put("end", offset.endOffset());
                token.put("type", type.type());
            }
            stream.end();
        }
        return tokens;
    }

    /** The code points that this Java does not know yet. */
    private static ArrayNode unassigned() {
        ArrayNode points = JSON.createArrayNode();
        for (int point = 0; point <= Character.MAX_CODE_POINT; point++) {
            if (Character.getType(point) == Character.UNASSIGNED) {
                points.add(point);
            }
        }
        return points;
    }

    private static TokenStream source(JsonNode asked) {
        String language = asked.path("language").asText("");
        Tokenizer tokenizer = switch (asked.path("tokenizer").asText()) {
            case "code" -> new CodeTokenizerFactory(() -> language).create();
            case "text" -> new TextTokenizerFactory().create();
            case "tokens" -> new TokensTokenizerFactory().create();
            default -> null;
        };
        if (tokenizer == null) {
            return new Given(asked.get("tokens"));
        }
        tokenizer.setReader(new StringReader(asked.get("text").asText()));
        return tokenizer;
    }

    /** The settings in an object. */
    static WinnowSettings settings(JsonNode given) {
        record Settings(String representation, String k, String w, String sampler, String unique)
                implements WinnowSettings {}
        return new Settings(
                given.path("representation").asText(""),
                given.path("k").asText(""),
                given.path("w").asText(""),
                given.path("sampler").asText(""),
                given.path("unique").asText(""));
    }

    /** Tokens that are given, each with its kind, at offsets that leave a blank between two. */
    private static final class Given extends TokenStream {
        private final CharTermAttribute term = addAttribute(CharTermAttribute.class);
        private final OffsetAttribute offset = addAttribute(OffsetAttribute.class);
        private final TypeAttribute type = addAttribute(TypeAttribute.class);
        private final Iterator<JsonNode> tokens;
        private int at;

        Given(JsonNode tokens) {
            this.tokens = tokens.iterator();
        }

        @Override
        public boolean incrementToken() {
            clearAttributes();
            if (!tokens.hasNext()) {
                return false;
            }
            JsonNode token = tokens.next();
            term.append(token.get(0).asText());
            offset.setOffset(at, at + term.length());
            at += term.length() + 1;
            type.setType("wherefrom " + token.get(1).asText());
            return true;
        }
    }
}
