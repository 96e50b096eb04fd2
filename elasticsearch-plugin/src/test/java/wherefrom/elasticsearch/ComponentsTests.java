package wherefrom.elasticsearch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.lucene.tests.util.LuceneTestCase;
import org.elasticsearch.plugin.NamedComponent;

/** What the server is told to find in the plug-in. */
public class ComponentsTests extends LuceneTestCase {
    private static final Path ROOT = Path.of(System.getProperty("basedir", "."));

    public void testEveryComponentIsListedByItsNameAndTheInterfaceItHas() throws Exception {
        JsonNode listed = new ObjectMapper().readTree(ROOT.resolve("src/main/plugin/named_components.json").toFile());
        Map<String, Set<String>> found = new TreeMap<>();
        for (Map.Entry<String, JsonNode> role : listed.properties()) {
            for (Map.Entry<String, JsonNode> component : role.getValue().properties()) {
                Class<?> implementation = Class.forName(component.getValue().asText());
                assertTrue(Class.forName(role.getKey()).isAssignableFrom(implementation));
                assertEquals(component.getKey(), implementation.getAnnotation(NamedComponent.class).value());
                assertEquals("the server wants exactly one", 1, implementation.getConstructors().length);
                found.computeIfAbsent(role.getKey(), key -> new TreeSet<>()).add(implementation.getName());
            }
        }
        assertEquals(annotated(), found.values().stream().collect(TreeSet::new, Set::addAll, Set::addAll));
    }

    private static Set<String> annotated() throws IOException, ClassNotFoundException {
        Set<String> names = new TreeSet<>();
        try (DirectoryStream<Path> classes = Files.newDirectoryStream(ROOT.resolve("target/classes/wherefrom/elasticsearch"), "*.class")) {
            for (Path file : classes) {
                String name = "wherefrom.elasticsearch." + file.getFileName().toString().replace(".class", "");
                if (Class.forName(name).isAnnotationPresent(NamedComponent.class)) {
                    names.add(name);
                }
            }
        }
        return names;
    }
}
