package io.millrace.web.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.application.MillraceApplication;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** The page's files as a browser gets them. */
class PageTest {

    private static final Path FILES = Path.of("src/main/resources/millrace/page");
    /** What a page, a style sheet or a module loads: by src, href, url(...), an import, or in the import map. */
    private static final Pattern LOADED = Pattern.compile(
            "(?:src|href)=\"(/[^\"]+)\"|url\\(\"?([^)\"]+)|(?:from|import) '([./][^']+)'|import\\('([^']+)'\\)|\": \"(/[^\"]+)\"");

    @TempDir
    static Path folder;

    @SuppressWarnings("NullAway.Init") // set before all tests
    private static ConfigurableApplicationContext context;

    @SuppressWarnings("NullAway.Init") // likewise
    private static PageClient client;

    @BeforeAll
    static void runTheSample() {
        context = new SpringApplicationBuilder(MillraceApplication.class)
                .run(
                        "--server.port=0",
                        "--millrace.sample=true",
                        "--millrace.data=" + folder,
                        "--millrace.pipelines.trades.feed.generator.count=1000");
        client = new PageClient(context);
    }

    @AfterAll
    static void end() {
        context.close();
    }

    @Test
    void shouldLetTheBrowserLoadNothingFromElsewhere() throws Exception {
        HttpResponse<String> page = client.get("/");
        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(page.headers().firstValue("content-type")).hasValue("text/html");
        assertThat(page.headers().firstValue("content-security-policy"))
                .hasValue(ContentPolicy.of(page.body()))
                .hasValueSatisfying(policy ->
                        assertThat(policy).contains("default-src 'self'").contains("script-src 'self' 'sha256-"));
        assertThat(page.headers().firstValue("x-content-type-options")).hasValue("nosniff");
        assertThat(client.get("/api/pipelines").headers().firstValue("content-security-policy"))
                .isEmpty();
    }

    @Test
    void shouldAllowTheImportMapByItsHash() {
        // The hash is that of Python's hashlib.sha256(b'{}') in base 64.
        assertThat(ContentPolicy.of("<p><script type=\"importmap\">{}</script>"))
                .contains("script-src 'self' 'sha256-RBNvo1WzZ4oRRq0W9+hknpT7T8If536DEMBg9hyq/4o=';");
        assertThat(ContentPolicy.of("<p>")).contains("script-src 'self';");
    }

    @Test
    void shouldBringAllThatItsFilesLoad() throws Exception {
        List<String> missing = new ArrayList<>();
        List<String> loaded = new ArrayList<>();
        for (Path file : files()) {
            URI at = URI.create("/" + FILES.relativize(file));
            Matcher matcher = LOADED.matcher(Files.readString(file));
            while (matcher.find()) {
                String path = at.resolve(target(matcher)).getPath();
                boolean folderOfAnImportMap = path.endsWith("/");
                if (!folderOfAnImportMap && !path.startsWith("/api/")) {
                    loaded.add(path);
                    if (client.get(path).statusCode() != 200) {
                        missing.add(file + " loads " + path);
                    }
                }
            }
        }
        assertThat(missing).isEmpty();
        assertThat(loaded)
                .contains("/css/base.css", "/js/app.js", "/js/live.js", "/js/views/map.js")
                .anyMatch(path -> path.startsWith("/webjars/lit-html/"))
                .anyMatch(path -> path.startsWith("/webjars/chart.js/"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/index.html", "/%69ndex.html", "/index.html;a=b", "/sign-in.html", "/%73ign-in.html"})
    void shouldSendThePolicyWhateverThePathOfADocumentLooksLike(String path) throws Exception {
        HttpResponse<String> page = client.get(path);
        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(page.body()).contains("<html");
        assertThat(page.headers().firstValue("content-security-policy")).isPresent();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/js",
                "/js/",
                "/nothing.js",
                "/..%2f..%2fsample.yml",
                "/js/..%2fjs/app.js",
                "/js%2fapp.js",
                "/%5cindex.html",
                "/webjars/lit-html/3.3.1/",
                "/webjars/lit-html/../lit-html/3.3.1/lit-html.js",
                "/millrace/service.yml",
                "/META-INF/MANIFEST.MF"
            })
    void shouldServeNothingElse(String path) throws Exception {
        assertThat(client.get(path).statusCode()).isIn(400, 404);
    }

    @Test
    void shouldAnswerForALongPath() throws Exception {
        assertThat(client.get("/a".repeat(5_000)).statusCode()).isEqualTo(404);
    }

    @Test
    void shouldNotSendAFileThatABrowserHas() throws Exception {
        String tag = client.get("/js/app.js").headers().firstValue("etag").orElseThrow();
        HttpResponse<String> again = client.get("/js/app.js", "If-None-Match", tag);
        assertThat(again.statusCode()).isEqualTo(304);
        assertThat(again.body()).isEmpty();
    }

    @Test
    void shouldNotBeKeptByABrowserPastItsBuild() throws Exception {
        assertThat(client.get("/js/app.js").headers().firstValue("cache-control"))
                .hasValue("no-cache");
        assertThat(client.get("/js/app.js").headers().firstValue("last-modified"))
                .isEmpty();
    }

    @Test
    void shouldNameNoOtherOriginAndHoldNoInlineHandler() throws Exception {
        Pattern foreign = Pattern.compile("(?<!xmlns=\"http:)(?<!xmlns=\")(?:https?:)?//[a-z]|\\son[a-z]+=|style=");
        for (Path file : files()) {
            List<String> lines = Files.readAllLines(file).stream()
                    .filter(line -> !line.strip().startsWith("//")
                            && foreign.matcher(line).find())
                    .toList();
            assertThat(lines).as(file.toString()).isEmpty();
        }
    }

    private static String target(Matcher matcher) {
        for (int group = 1; group <= matcher.groupCount(); group++) {
            String target = matcher.group(group);
            if (target != null) {
                return target;
            }
        }
        throw new AssertionError(matcher.group());
    }

    private static List<Path> files() throws IOException {
        try (Stream<Path> files = Files.walk(FILES)) {
            return files.filter(Files::isRegularFile).sorted().toList();
        }
    }
}
