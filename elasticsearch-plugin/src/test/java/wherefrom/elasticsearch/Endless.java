package wherefrom.elasticsearch;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.Reader;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.Tokenizer;

/**
 * Analyzes a text that is made while it is read, so that only the analysis takes memory; writes how many tokens it gave.
 *
 * <p>Arguments: {@code code} or {@code text}; settings of the filter, such as {@code unique=true}, or nothing; the text
 * that is repeated, after one that comes first; and millions of characters.
 */
public final class Endless {
    private Endless() {}

    public static void main(String[] arguments) throws IOException {
        Tokenizer tokenizer = arguments[0].equals("code") ? new CodeTokenizer(null) : new TextTokenizer();
        ObjectNode settings = JsonNodeFactory.instance.objectNode();
        if (!arguments[1].isEmpty()) {
            for (String setting : arguments[1].split(",")) {
                settings.put(setting.split("=")[0], setting.split("=")[1]);
            }
        }
        tokenizer.setReader(new Repeated(arguments[2], arguments[3], Long.parseLong(arguments[4]) * 1_000_000));
        long count = 0;
        try (TokenStream stream = new WinnowFilterFactory(Streams.settings(settings)).create(tokenizer)) {
            stream.reset();
            while (stream.incrementToken()) {
                count++;
            }
            stream.end();
        }
        System.out.println(count);
    }

    /** A text, and another as often as needed, in which {@code %} is another number each time. */
    private static final class Repeated extends Reader {
        private final String repeated;
        private final long most;
        private String current;
        private int at;
        private long given;
        private long number;

        Repeated(String first, String repeated, long most) {
            this.current = first;
            this.repeated = repeated;
            this.most = most;
        }

        @Override
        public int read(char[] to, int offset, int length) {
            if (given >= most) {
                return -1;
            }
            if (at == current.length()) {
                current = repeated.replace("%", Long.toString(number++, 36));
                at = 0;
            }
            int count = Math.min(length, current.length() - at);
            current.getChars(at, at + count, to, offset);
            at += count;
            given += count;
            return count;
        }

        @Override
        public void close() {}
    }
}
