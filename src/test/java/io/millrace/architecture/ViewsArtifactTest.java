package io.millrace.architecture;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.lang.classfile.constantpool.Utf8Entry;
import java.net.URI;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.xpath.XPathConstants;
import javax.xml.xpath.XPathFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.NodeList;

/** The jar {@code millrace-views} contains all classes that it needs, and its POM names the libraries that they use. */
class ViewsArtifactTest {

    private static final Path CLASSES = Path.of("target/classes");
    private static final String POM = "src/main/assembly/views-pom.xml";

    /** A type in a descriptor, in a generic signature, or in a text that generated code contains. */
    private static final Pattern TYPE = Pattern.compile("L([\\w$]+(?:/[\\w$]+)+)[;<]");

    /** The name of a library in the address of one of its classes. */
    private static final Pattern LIBRARY = Pattern.compile("/([^/]+)/[^/]+/[^/]+\\.jar!");

    /** Libraries that come with another one. */
    private static final Map<String, String> PARTS = Map.of(
            "spring-core", "spring-expression",
            "jackson-core", "jackson-databind",
            "jackson-annotations", "jackson-databind");

    private final Set<String> content = content();

    ViewsArtifactTest() throws Exception {}

    private static List<String> texts(String file, String path) throws Exception {
        Document document =
                DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new File(file));
        NodeList nodes =
                (NodeList) XPathFactory.newInstance().newXPath().evaluate(path, document, XPathConstants.NODESET);
        return IntStream.range(0, nodes.getLength())
                .mapToObj(index -> nodes.item(index).getTextContent())
                .toList();
    }

    /** Returns the compiled classes and resources that the assembly includes. */
    private static Set<String> content() throws Exception {
        List<PathMatcher> includes = texts("src/main/assembly/views.xml", "//include").stream()
                .map(include -> FileSystems.getDefault().getPathMatcher("glob:" + include))
                .toList();
        try (Stream<Path> files = Files.walk(CLASSES)) {
            return files.filter(Files::isRegularFile)
                    .map(CLASSES::relativize)
                    .filter(file -> includes.stream().anyMatch(include -> include.matches(file)))
                    .map(Path::toString)
                    .collect(Collectors.toSet());
        }
    }

    /** Returns the files of all classes that classes of the jar refer to. */
    private Set<String> references() throws IOException {
        Set<String> found = new TreeSet<>();
        for (String file : content) {
            if (file.endsWith(".class")) {
                for (PoolEntry entry :
                        ClassFile.of().parse(CLASSES.resolve(file)).constantPool()) {
                    if (entry instanceof ClassEntry type
                            && !type.asInternalName().startsWith("[")) {
                        found.add(type.asInternalName() + ".class");
                    } else if (entry instanceof Utf8Entry text) {
                        TYPE.matcher(text.stringValue()).results().forEach(type -> found.add(type.group(1) + ".class"));
                    }
                }
            }
        }
        return found;
    }

    @Test
    void shouldContainTheClassesThatItRefersTo() throws IOException {
        assertThat(references().stream().filter(file -> Files.exists(CLASSES.resolve(file))))
                .isNotEmpty()
                .isSubsetOf(content);
    }

    @Test
    void shouldUseTheLibrariesOfItsPom() throws Exception {
        Set<String> used = new HashSet<>();
        for (String file : references()) {
            URI address = ClassLoader.getSystemResource(file).toURI();
            Matcher library = LIBRARY.matcher(address.toString());
            if (library.find()) {
                used.add(PARTS.getOrDefault(library.group(1), library.group(1)));
            }
        }

        assertThat(texts(POM, "//dependency/artifactId")).containsExactlyInAnyOrderElementsOf(used);
    }

    /** The example {@code examples/views} counts those that come with them too. */
    @Test
    void shouldRequireAtMostTenLibraries() throws Exception {
        assertThat(texts(POM, "//dependency[not(optional)]/artifactId")).hasSizeBetween(1, 10);
        assertThat(texts(POM, "//dependency[optional = 'true']/artifactId"))
                .containsExactlyInAnyOrder("jackson-databind", "jakarta.validation-api", "geode-core");
    }

    @Test
    void shouldContainTheServicesThatItLoads() throws IOException {
        Set<String> services = new TreeSet<>();
        try (Stream<Path> files = Files.list(CLASSES.resolve("META-INF/services"))) {
            for (Path file : files.toList()) {
                String service = file.getFileName().toString();
                if (content.contains(service.replace('.', '/') + ".class")) {
                    services.add(service);
                    assertThat(content).contains(CLASSES.relativize(file).toString());
                    assertThat(Files.readString(file, UTF_8).lines())
                            .allSatisfy(
                                    provider -> assertThat(content).contains(provider.replace('.', '/') + ".class"));
                }
            }
        }

        assertThat(services).isNotEmpty();
    }
}
