package wherefrom.elasticsearch;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.standard.StandardAnalyzer;

/**
 * Measures how many MB of the files in a folder each analyzer takes in a second of a processor, and the standard analyzer
 * beside them: the best of several rounds.
 *
 * <p>Arguments: the folder, and the endings of the files.
 */
public final class Speed {
    private static final int ROUNDS = 7;

    private Speed() {}

    public static void main(String[] arguments) throws IOException {
        List<String> endings = List.of(arguments).subList(1, arguments.length);
        List<String> texts;
        try (Stream<Path> paths = Files.walk(Path.of(arguments[0]))) {
            texts = paths.filter(path -> endings.stream().anyMatch(path.toString()::endsWith) && Files.isRegularFile(path))
                    .sorted()
                    .map(Speed::read)
                    .toList();
        }
        long bytes = texts.stream().mapToLong(text -> text.getBytes(StandardCharsets.UTF_8).length).sum();
        System.out.printf(Locale.ROOT, "%d files, %.1f MB%n", texts.size(), bytes / 1e6);
        Map<String, Analyzer> analyzers = new LinkedHashMap<>();
        analyzers.put("standard", new StandardAnalyzer());
        WinnowSettings defaults = AnalyzersTests.settings("", "", "", "", "");
        analyzers.put("wherefrom_code", new CodeAnalyzerFactory(defaults, () -> "").create());
        for (String representation : List.of("renamed", "p_match")) {
            WinnowSettings settings = AnalyzersTests.settings(representation, "", "", "", "");
            analyzers.put("wherefrom_code, " + representation, new CodeAnalyzerFactory(settings, () -> "").create());
        }
        analyzers.put("wherefrom_text", new TextAnalyzerFactory(defaults).create());
        for (Map.Entry<String, Analyzer> analyzer : analyzers.entrySet()) {
            long best = Long.MAX_VALUE;
            long terms = 0;
            for (int round = 0; round < ROUNDS; round++) {
                long begin = processorTime();
                terms = analyze(analyzer.getValue(), texts);
                best = Math.min(best, processorTime() - begin);
            }
            System.out.printf(Locale.ROOT, "%-24s %6.1f MB/s %10d terms%n", analyzer.getKey(), bytes * 1e3 / best, terms);
        }
    }

    private static long processorTime() {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        return threads.getCurrentThreadCpuTime();
    }

    private static long analyze(Analyzer analyzer, List<String> texts) throws IOException {
        long terms = 0;
        for (String text : texts) {
            try (TokenStream stream = analyzer.tokenStream("field", text)) {
                stream.reset();
                while (stream.incrementToken()) {
                    terms++;
                }
                stream.end();
            }
        }
        return terms;
    }

    private static String read(Path path) {
        try {
            return new String(Files.readAllBytes(path), StandardCharsets.UTF_8);
        } catch (IOException error) {
            throw new java.io.UncheckedIOException(error);
        }
    }
}
