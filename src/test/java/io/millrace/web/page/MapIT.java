package io.millrace.web.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.application.MillraceApplication;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import tools.jackson.databind.JsonNode;

/** The example's map in a browser, while a night of its network is played until the first cell goes bad. */
@Tag("long")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class MapIT {

    private static final String PLAY = "/api/pipelines/istanbul/replay";
    private static final int CELLS = 3000;

    /** How many of the canvas' pixels have the colour that a custom property has now. */
    private static final String PIXELS = """
            const probe = document.body.appendChild(document.createElement('span'));
            probe.style.color = `var(${arguments[0]})`;
            const wanted = getComputedStyle(probe).color.match(/\\d+/g).map(Number);
            probe.remove();
            const map = document.getElementById('map');
            const copy = new OffscreenCanvas(map.width, map.height).getContext('2d', { willReadFrequently: true });
            copy.drawImage(map, 0, 0);
            const { data } = copy.getImageData(0, 0, map.width, map.height);
            let found = 0;
            for (let at = 0; at < data.length; at += 4) {
              found += data[at] === wanted[0] && data[at + 1] === wanted[1] && data[at + 2] === wanted[2] ? 1 : 0;
            }
            return found;
            """;

    @TempDir
    static Path folder;

    @SuppressWarnings("NullAway.Init") // set before all tests
    private static ConfigurableApplicationContext context;

    @SuppressWarnings("NullAway.Init") // likewise
    private static PageClient client;

    @SuppressWarnings("NullAway.Init") // likewise
    private static Browser browser;

    @BeforeAll
    static void openTheBrowser() {
        context = new SpringApplicationBuilder(MillraceApplication.class)
                .run(
                        "--server.port=0",
                        "--spring.config.additional-location=examples/istanbul.yml",
                        "--millrace.tables.cells.file=examples/reference/cells.csv",
                        "--millrace.pipelines.istanbul.feed.generator.rate=100",
                        "--millrace.data=" + folder);
        client = new PageClient(context);
        browser = Browser.start("http://127.0.0.1:" + context.getEnvironment().getProperty("local.server.port"));
        browser.lookAs(1280, false);
    }

    @AfterAll
    static void end() {
        if (browser != null) {
            browser.close();
        }
        context.close();
    }

    @AfterEach
    void shouldHaveComplainedOfNothing() {
        assertThat(browser.complaints()).isEmpty();
    }

    private static long pixels(String property) {
        return (Long) Objects.requireNonNull(browser.run(PIXELS, property));
    }

    private static int frame(String attribute) {
        return Integer.parseInt(
                Objects.requireNonNull(browser.until(".map-frame").getDomAttribute("data-" + attribute)));
    }

    private static String text(String selector) {
        return browser.until(selector).getText();
    }

    private static void play(String change) throws Exception {
        assertThat(client.put(PLAY, change).statusCode()).isEqualTo(200);
    }

    @Test
    @Order(1)
    void shouldTurnACellThatGoesBad() throws Exception {
        browser.open("#map");
        browser.until("#map");
        await().untilAsserted(() -> assertThat(pixels("--map-land")).isGreaterThan(50_000));
        assertThat(pixels("--map-sea")).isGreaterThan(50_000);
        assertThat(pixels("--bad")).isZero();
        assertThat(text(".map-alerts")).contains("none raised");

        play("{\"rate\":100000}");
        await().until(() -> frame("raised") == 1);
        play("{\"paused\":true}");

        assertThat(frame("cells")).isBetween(2500, CELLS);
        // A ring and a sign, whatever eyes make of colours.
        await().untilAsserted(() -> assertThat(pixels("--bad")).isGreaterThan(50));
        assertThat(text(".map-alerts li")).contains("cell 2291", "Sultangazi", "raised");
        // The number of raised alerts is announced too, when it arrives.
        browser.until("#tabs .badge");
        browser.until(".map-alerts li button").click();
        assertThat(text("#map-cell-title")).isEqualTo("cell 2291, Sultangazi");
        assertThat(text(".map-side .cell-values")).contains("events", "dropRate", "%");
        assertThat(text("#announcements")).startsWith("cell 2291, Sultangazi: events ");
    }

    @Test
    @Order(2)
    void shouldReportInATableWhatTheMeasureReports() throws Exception {
        // Nothing moves any more once the last window is there.
        await().untilAsserted(() -> assertThat(browser.until(".map-frame").getDomAttribute("data-end"))
                .isEqualTo(
                        client.json("/api/measures/cells").at("/windows/0/end").asString()));
        List<String> largest = client.json("/api/measures/cells?limit=10000")
                .at("/windows/0/rows")
                .valueStream()
                .sorted(Comparator.comparingLong(
                        (JsonNode row) -> -row.get("events").asLong()))
                .limit(20)
                .map(row -> "%,d".formatted(row.get("events").asLong()))
                .toList();
        assertThat(browser.look(
                                "[...document.querySelectorAll('.view-map tbody tr')].map((row) => row.cells[2].textContent)")
                        .valueStream()
                        .map(JsonNode::asString))
                .containsExactlyElementsOf(largest);
        WebElement first = browser.until(".view-map tbody th button");
        first.click();
        assertThat(text("#map-cell-title")).startsWith("cell " + first.getText() + ", ");
    }

    @Test
    @Order(3)
    void shouldBeMovedByKeysAndPointAtCells() {
        WebElement map = browser.until("#map");
        map.sendKeys(Keys.ESCAPE);
        assertThat(text("#map-cell-title")).isEqualTo("No cell selected");
        // so that the map is drawn without the cell
        browser.runAsync("const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(() => done()))");
        Object before = browser.run("return document.getElementById('map').toDataURL()");
        map.sendKeys("+", Keys.ARROW_LEFT);
        await().untilAsserted(() -> assertThat(browser.run("return document.getElementById('map').toDataURL()"))
                .isNotEqualTo(before));
        map.sendKeys("0");
        await().untilAsserted(() -> assertThat(browser.run("return document.getElementById('map').toDataURL()"))
                .isEqualTo(before));
        map.sendKeys(Keys.chord(Keys.SHIFT, Keys.ARROW_RIGHT));
        assertThat(text("#map-cell-title")).matches("cell \\d+, \\w+");
        String one = text("#map-cell-title");
        map.sendKeys(Keys.chord(Keys.SHIFT, Keys.ARROW_DOWN));
        assertThat(text("#map-cell-title")).matches("cell \\d+, \\w+").isNotEqualTo(one);
    }

    @Test
    @Order(4)
    void shouldSetTheSpeedOfTheFeed() throws Exception {
        browser.open("#map");
        WebElement pause = browser.until(".replay .pause");
        assertThat(pause.getText()).contains("Resume");
        assertThat(text(".map-clock")).contains("Paused");
        browser.until(".replay select")
                .findElement(By.cssSelector("option[value='10000']"))
                .click();
        await().untilAsserted(
                        () -> assertThat(client.json(PLAY).get("rate").asLong()).isEqualTo(10_000));
        pause.click();
        await().untilAsserted(() ->
                assertThat(client.json(PLAY).get("paused").asBoolean()).isFalse());
        await().untilAsserted(() -> assertThat(text(".map-clock")).contains("\u00d7 "));
        play("{\"rate\":5000}");
        await().untilAsserted(() -> assertThat(browser.until(".replay select").getDomProperty("value"))
                .isEqualTo("5000"));
    }

    @Test
    @Order(5)
    void shouldKeepNobodyOut() throws Exception {
        String axe = new String(
                Objects.requireNonNull(getClass().getResourceAsStream("/axe.min.js"))
                        .readAllBytes(),
                StandardCharsets.UTF_8);
        List<String> found = new ArrayList<>();
        for (Map.Entry<Integer, Boolean> look :
                List.of(Map.entry(1280, false), Map.entry(1280, true), Map.entry(360, true))) {
            browser.lookAs(look.getKey(), look.getValue());
            browser.open("#map");
            browser.until(".view-map td");
            browser.run(axe);
            found.add(look + " " + browser.runAsync("""
                    const done = arguments[arguments.length - 1];
                    axe.run({ runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] }).then((result) =>
                      done(result.violations.map((v) => v.id + ': ' + v.nodes.map((n) => n.html.slice(0, 120)).join(' | ')).join('\\n')));
                    """));
            assertThat((Long) browser.run("return document.documentElement.scrollWidth"))
                    .isLessThanOrEqualTo(look.getKey());
        }
        assertThat(found).allMatch(line -> line.endsWith(" "));
    }
}
