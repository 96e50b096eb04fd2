// Runs JPlag on a folder of files, as `peer_driver.py` runs the Python peers: a job as JSON on standard input, an answer
// as JSON on standard output. Its options: `language` as JPlag calls it, `metric` (of SimilarityMetric), unless the
// language's own is meant `minimumTokenMatch`, and `wrap`: what is put before and behind a Java file that JPlag cannot
// parse, to try it once more. A file that it cannot parse has no score.

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.management.OperatingSystemMXBean;
import de.jplag.GreedyStringTiling;
import de.jplag.Language;
import de.jplag.LanguageLoader;
import de.jplag.Submission;
import de.jplag.SubmissionSet;
import de.jplag.options.JPlagOptions;
import de.jplag.options.SimilarityMetric;
import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

class PeerDriver {
    public static void main(String[] arguments) throws Exception {
        ObjectMapper json = new ObjectMapper();
        JsonNode job = json.readTree(System.in);
        JsonNode settings = job.get("options");
        Language language = LanguageLoader.getLanguage(settings.get("language").textValue()).orElseThrow();
        JPlagOptions options = new JPlagOptions(language, Set.of(), Set.of());
        if (settings.has("minimumTokenMatch")) {
            options = options.withMinimumTokenMatch(settings.get("minimumTokenMatch").intValue());
        }
        List<String> wrap = new ArrayList<>();
        if (settings.has("wrap") && language.getIdentifier().equals("java")) {
            settings.get("wrap").forEach(part -> wrap.add(part.textValue()));
        }
        SimilarityMetric metric = SimilarityMetric.valueOf(settings.get("metric").textValue());
        OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
        long begin = system.getProcessCpuTime();
        List<Submission> files = parsed(Path.of(job.get("files").textValue()), options, wrap);
        List<List<Object>> scores = new ArrayList<>();
        if (job.hasNonNull("queries") && job.get("queries").equals(job.get("files"))) {
            // Every file with every other, each pair once.
            GreedyStringTiling tiling = new GreedyStringTiling(options);
            for (int one = 0; one < files.size(); one++) {
                for (Submission other : files.subList(one + 1, files.size())) {
                    double score = metric.applyAsDouble(tiling.compare(files.get(one), other));
                    if (score > 0) {
                        scores.add(List.of(files.get(one).getName(), other.getName(), score));
                    }
                }
            }
        } else if (job.hasNonNull("queries")) {
            GreedyStringTiling tiling = new GreedyStringTiling(options);
            for (Submission query : parsed(Path.of(job.get("queries").textValue()), options, wrap)) {
                for (Submission file : files) {
                    double score = metric.applyAsDouble(tiling.compare(query, file));
                    if (score > 0) {
                        scores.add(List.of(query.getName(), file.getName(), score));
                    }
                }
            }
        }
        double seconds = (system.getProcessCpuTime() - begin) / 1e9;
        json.writeValue(System.out, Map.of("seconds", seconds, "scores", scores));
    }

    /** The files below a folder that JPlag can parse, each a submission named by its path in the folder. */
    private static List<Submission> parsed(Path folder, JPlagOptions options, List<String> wrap) throws Exception {
        List<Submission> submissions = new ArrayList<>();
        for (Path path : paths(folder)) {
            submissions.add(submission(folder.relativize(path).toString(), path.toFile(), options));
        }
        SubmissionSet all = new SubmissionSet(submissions, null, options);
        List<Submission> valid = new ArrayList<>(all.getSubmissions());
        if (!wrap.isEmpty()) {
            valid.addAll(wrapped(all.getInvalidSubmissions(), options, wrap));
        }
        return valid;
    }

    /** The same files, wrapped, as far as JPlag can parse them so. */
    private static List<Submission> wrapped(List<Submission> submissions, JPlagOptions options, List<String> wrap)
            throws Exception {
        List<Submission> changed = new ArrayList<>();
        for (Submission each : submissions) {
            File file = File.createTempFile("wherefrom-benchmark-", ".java");
            file.deleteOnExit();
            Files.writeString(file.toPath(), wrap.get(0) + Files.readString(each.getRoot().toPath()) + wrap.get(1));
            changed.add(submission(each.getName(), file, options));
        }
        return new SubmissionSet(changed, null, options).getSubmissions();
    }

    private static Submission submission(String name, File file, JPlagOptions options) {
        return new Submission(name, file, true, Set.of(file), options.language());
    }

    private static List<Path> paths(Path folder) throws IOException {
        try (var found = Files.walk(folder)) {
            return found.filter(Files::isRegularFile).sorted().toList();
        }
    }
}
