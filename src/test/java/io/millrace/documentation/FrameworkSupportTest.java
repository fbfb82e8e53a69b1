package io.millrace.documentation;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.view.FrameworkSupport;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The table of tools in the guide about differences of views contains what tests with {@link FrameworkSupport} hold.
 */
class FrameworkSupportTest {

    private static final Path PAGE = Path.of("docs/guides/view-differences.md");
    private static final Path TESTS = Path.of("src/test/java");
    private static final String GENERATED = "<!-- table: tools -->\n";

    /** Run with {@code MILLRACE_DOCS=write} in the environment to write the page's table anew. */
    @Test
    void shouldDocumentEveryTool() throws Exception {
        String table = tests().stream()
                .map(FrameworkSupportTest::row)
                .collect(Collectors.joining(
                        "\n", "| tool | works | refused or different | test |\n|---|---|---|---|\n", "\n"));
        if ("write".equals(System.getenv("MILLRACE_DOCS"))) {
            String page = Files.readString(PAGE);
            int from = page.indexOf(GENERATED) + GENERATED.length();
            int to = page.indexOf("\n\n", from) + 1;
            Files.writeString(PAGE, page.substring(0, from) + table + page.substring(to));
        }
        assertThat(Files.readString(PAGE)).contains(GENERATED + table);
    }

    private static String row(AnnotatedElement test) {
        FrameworkSupport row = test.getAnnotation(FrameworkSupport.class);
        return "| %s | %s | %s | `%s` |"
                .formatted(
                        row.tool(),
                        row.works(),
                        row.otherwise(),
                        test instanceof Method method
                                ? method.getDeclaringClass().getSimpleName() + "." + method.getName()
                                : ((Class<?>) test).getSimpleName());
    }

    /** Returns methods and classes. */
    private static List<AnnotatedElement> tests() throws IOException {
        try (Stream<Path> files = Files.walk(TESTS)) {
            List<AnnotatedElement> tests = files.filter(FrameworkSupportTest::hasRows)
                    .map(FrameworkSupportTest::testClass)
                    .flatMap(type ->
                            Stream.<AnnotatedElement>concat(Stream.of(type), Arrays.stream(type.getDeclaredMethods())))
                    .filter(test -> test.isAnnotationPresent(FrameworkSupport.class))
                    .sorted(Comparator.comparing(
                            test -> test.getAnnotation(FrameworkSupport.class).tool()))
                    .toList();
            assertThat(tests).hasSizeGreaterThan(15);
            return tests;
        }
    }

    private static boolean hasRows(Path file) {
        try {
            return file.toString().endsWith("Test.java")
                    && Files.readString(file).contains("@FrameworkSupport(");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Class<?> testClass(Path file) {
        String path = TESTS.relativize(file).toString();
        try {
            return Class.forName(
                    path.substring(0, path.length() - ".java".length()).replace('/', '.'));
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }
}
