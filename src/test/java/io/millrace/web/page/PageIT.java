package io.millrace.web.page;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.application.MillraceApplication;
import java.math.BigDecimal;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import tools.jackson.databind.JsonNode;

/** The page in a browser, over a pipeline that goes on and on. */
class PageIT {

    /** The page asks whether there is a map, and here is none; a browser logs every such answer. */
    private static final String NO_MAP = "/api/map";

    @TempDir
    static Path folder;

    @SuppressWarnings("NullAway.Init") // set before all tests
    private static ConfigurableApplicationContext context;

    @SuppressWarnings("NullAway.Init") // likewise
    private static PageClient client;

    @SuppressWarnings("NullAway.Init") // likewise
    private static Browser browser;

    @SuppressWarnings("NullAway.Init") // likewise
    private static String origin;

    private final Set<String> expected = new LinkedHashSet<>(Set.of(NO_MAP));

    @BeforeAll
    static void openTheBrowser() throws Exception {
        Path config = Files.writeString(
                folder.resolve("config.yml"), """
                millrace:
                  data: %s
                  tables:
                    desks: { file: "classpath:samples/desks.csv", key: id }
                  regions:
                    buys:  { layout: blocks }
                    sells: { layout: blocks }
                  pipelines:
                    trades:
                      feed: { generator: { rate: 20000, seed: 42 } }
                      schema: trade
                      steps:
                        - filter: currency1 != 'JPY' and amount1 > 1000000
                        - enrich: { table: desks, key: id %% 100, add: { desk: name } }
                        - set: { notional: amount1 * exchangeRate }
                        - measure:
                            name: turnover
                            by: currency1
                            every: 1s
                            values: { trades: count(), amount: sum(amount1) }
                            alerts:
                              busy: { when: trades > 10 }
                        - route:
                            - { when: buySell == 'Buy', to: buys }
                            - { otherwise: sells }
                """.formatted(folder.resolve("data")), StandardCharsets.UTF_8);
        context = new SpringApplicationBuilder(MillraceApplication.class)
                .run("--server.port=0", "--spring.config.additional-location=" + config.toUri());
        client = new PageClient(context);
        origin = "http://127.0.0.1:" + context.getEnvironment().getProperty("local.server.port");
        browser = Browser.start(origin);
    }

    @AfterAll
    static void end() {
        if (browser != null) {
            browser.close();
        }
        context.close();
    }

    @AfterEach
    void shouldHaveComplainedOfNothingAndAskedNobodyElse() {
        browser.lookAs(1280, false);
        assertThat(browser.complaints())
                .noneMatch(complaint -> expected.stream().noneMatch(complaint::contains));
        assertThat(browser.requests())
                .isNotEmpty()
                .allMatch(address -> address.startsWith(origin + "/") || address.equals("about:blank"));
    }

    @Test
    void shouldShowCountsThatMoveAndAgreeWithTheApi() throws Exception {
        browser.open("#overview");
        browser.until("[data-metric=in]");
        long before = metrics().get("in").asLong();
        JsonNode reported = client.json("/api/pipelines").get(0);
        await().until(() -> metrics().get("in").asLong() > reported.get("in").asLong());
        JsonNode shown = metrics();
        JsonNode later = client.json("/api/pipelines").get(0);
        assertThat(shown.get("in").asLong()).isGreaterThan(before);
        for (String term : List.of("in", "kept", "dropped", "rejected")) {
            assertThat(shown.get(term).asLong())
                    .as(term)
                    .isBetween(reported.get(term).asLong(), later.get(term).asLong());
        }
        assertThat(shown.get("dropped").asLong()).isPositive();
        assertThat(shown.get("kept").asLong()
                        + shown.get("dropped").asLong()
                        + shown.get("rejected").asLong()
                        + shown.get("inFlight").asLong())
                .isEqualTo(shown.get("in").asLong());
        assertThat(browser.until(".balance .verdict").getText()).contains("balanced");
        assertThat(browser.all(".pipeline")).hasSize(1);
    }

    @Test
    void shouldShowWhatIsScraped() throws Exception {
        browser.open("#overview");
        browser.until("[data-metric=in]");
        assertThat(client.put("/api/pipelines/trades/replay", "{\"paused\":true}")
                        .statusCode())
                .isEqualTo(200);
        try {
            await().untilAsserted(() -> {
                JsonNode shown = metrics();
                String scraped = client.get("/actuator/prometheus").body();
                for (String term : List.of("in", "kept", "dropped", "rejected")) {
                    assertThat(shown.path(term).asLong(-1)).as(term).isEqualTo(scraped(scraped, term));
                }
                assertThat(shown.path("in").asLong(-1)).isPositive();
                assertThat(shown.path("inFlight").asLong(-1)).isZero();
            });
        } finally {
            client.put("/api/pipelines/trades/replay", "{\"paused\":false}");
        }
    }

    private static long scraped(String text, String term) {
        return text.lines()
                .filter(line -> line.startsWith("millrace_records_" + term + "_total{"))
                .mapToLong(line -> (long) Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }

    /** The terms of the balance, all of one moment. */
    private static JsonNode metrics() {
        return browser.look(
                "Object.fromEntries([...document.querySelectorAll('[data-metric]')].map((e) => [e.dataset.metric, Number(e.textContent.replaceAll(',', ''))]))");
    }

    @Test
    void shouldReadTheChartsByTheArrowKeys() {
        browser.open("#overview");
        await().until(() -> !browser.until(".metric-head .at").getText().isBlank());
        String now = browser.until(".metric-head .at").getText();
        WebElement charts = browser.until(".charts");
        await().until(() -> {
            charts.sendKeys(Keys.ARROW_LEFT);
            return browser.until(".metric-head .at").getText().compareTo(now) < 0;
        });
        assertThat(browser.until("[data-metric=eventsPerSecond]").getText()).matches("[\\d,]+");
    }

    @Test
    void shouldTapDecodedRecordsBehindAFilter() throws Exception {
        browser.open("#flow/trades/1-filter");
        browser.until(".samples tbody tr:nth-child(5)");
        assertThat(browser.until("pre.source").getText()).isEqualTo("currency1 != 'JPY' and amount1 > 1000000");
        JsonNode rows = browser.look("""
                [...document.querySelectorAll('.samples tbody tr')].map((row) => Object.fromEntries(
                  [...document.querySelectorAll('.samples thead th')].map((head, i) => [head.textContent, row.cells[i].textContent])))
                """);
        assertThat(rows).hasSizeGreaterThanOrEqualTo(5).allSatisfy(row -> {
            assertThat(row.get("currency1").asString()).isNotEqualTo("JPY").matches("[A-Z]{3}");
            assertThat(new BigDecimal(row.get("amount1").asString()))
                    .hasScaleOf(2)
                    .isGreaterThan(new BigDecimal(1_000_000));
        });
        assertThat(browser.all(".node")).hasSizeGreaterThanOrEqualTo(10);
        assertThat(browser.until(".edge.moving").isDisplayed()).isTrue();
    }

    @Test
    void shouldMarkTheBytesOfAFieldAndTheFieldOfAByte() {
        browser.open("#flow/trades/admitted");
        WebElement fields = browser.until(".fields");
        fields.sendKeys(Keys.ARROW_DOWN);
        assertThat(browser.until(".fields .marked .name").getText()).isEqualTo("id");
        String bytes = String.valueOf(browser.run(
                "return [...document.querySelectorAll('.byte.marked')].map((e) => e.textContent).join('')"));
        assertThat(Long.parseLong(bytes, 16))
                .isEqualTo(
                        Long.parseLong(browser.until(".fields .marked .value").getText()));
        browser.run(
                "document.querySelector('.byte[data-field=amount1]').dispatchEvent(new PointerEvent('pointerover', {bubbles: true}))");
        assertThat(browser.until(".fields .marked .name").getText()).isEqualTo("amount1");
        assertThat(browser.all(".byte.marked")).hasSize(8);
    }

    @Test
    void shouldOpenAStepByEnterAndCloseItByEscape() {
        browser.open("#flow");
        WebElement step = browser.until("a.node[href$='3-set']");
        step.sendKeys(Keys.ENTER);
        assertThat(browser.until(".panel .source").getText()).isEqualTo("amount1 * exchangeRate");
        browser.until(".panel .button").sendKeys(Keys.ESCAPE);
        await().until(() -> browser.all(".panel").isEmpty());
    }

    @Test
    void shouldShowACaretUnderAMistake() {
        expected.add("status of 400");
        browser.open("#query?region=buys");
        String wrong = "amount1 > 5 and currency3 == 'GBP'";
        WebElement where = browser.until("#query-where");
        await().until(() -> !"".equals(where.getDomProperty("value")));
        where.clear();
        where.sendKeys(wrong, Keys.ESCAPE, Keys.ENTER);
        String[] lines = browser.until(".query-error pre").getText().split("\n", -1);
        assertThat(lines[0]).isEqualTo(wrong);
        assertThat(lines[1]).isEqualTo(" ".repeat(wrong.indexOf("currency3")) + "^");
        assertThat(browser.until(".query-error").getText()).contains("did you mean 'currency1'?");
        assertThat(where.getDomAttribute("aria-invalid")).isEqualTo("true");
        assertThat(browser.focused()).isEqualTo(where);
        assertThat(browser.run("return document.activeElement.selectionStart")).isEqualTo(16L);
        where.clear();
        where.sendKeys("currency1 == 'GBP'", Keys.ESCAPE, Keys.ENTER);
        browser.until(".result tbody tr");
        assertThat(browser.all(".query-error")).isEmpty();
    }

    @Test
    void shouldRunTheQueryThatItSuggestsAndCompleteFields() throws Exception {
        browser.open("#query?region=buys");
        WebElement where = browser.until("#query-where");
        await().until(() ->
                Objects.requireNonNull(where.getDomProperty("value")).contains("'GBP'"));
        WebElement orderBy = browser.until("#query-orderBy");
        assertThat(orderBy.getDomProperty("value")).isEqualTo("exchangeRate");
        orderBy.clear();
        orderBy.sendKeys("am");
        assertThat(browser.until("#query-orderBy-names [aria-selected=true]").getText())
                .startsWith("amount1");
        orderBy.sendKeys(Keys.ARROW_DOWN, Keys.TAB);
        assertThat(orderBy.getDomProperty("value")).isEqualTo("amount2");
        orderBy.sendKeys(", id desc", Keys.ESCAPE, Keys.ENTER);
        browser.until(".result tbody tr:nth-child(10)");
        assertThat(browser.all(".result thead th").stream().map(WebElement::getText))
                .contains("id", "amount2", "desk", "notional");
        String csv = Objects.requireNonNull(browser.until(".downloads a").getDomAttribute("href"));
        assertThat(client.get(csv).body()).startsWith("id,tradeDate,buySell,").hasLineCount(11);
    }

    @ParameterizedTest
    @ValueSource(strings = {"records", "groups"})
    void shouldLeaveOutRecordsWithoutAResultIfTheUserWantsIt(String mode) throws Exception {
        expected.add("status of 422");
        browser.open("#query?region=buys&mode=" + mode + "&where=" + URLEncoder.encode("1000 / (id % 2) > 5", UTF_8)
                + (mode.equals("groups") ? "&by=buySell&values=count()" : ""));
        assertThat(browser.until(".view [role=alert]").getText())
                .contains("The query of region 'buys' has no result for ", "division by zero", "'onError=skip'");
        assertThat(browser.all(".result tbody tr")).isEmpty();

        WebElement leaveOut = browser.until(".view p > button");
        assertThat(leaveOut.getText()).isEqualTo("Leave these records out");
        leaveOut.sendKeys(Keys.ENTER);

        browser.until(".result tbody tr");
        assertThat(browser.all(".view [role=alert]")).isEmpty();
        assertThat(browser.until(".result .problem").getText())
                .matches("(?s)Excluded [\\d,]+ records? without a result: .*division by zero.*");
        String csv = Objects.requireNonNull(browser.until(".downloads a").getDomAttribute("href"));
        assertThat(client.get(csv).body().lines().count()).isGreaterThan(1);

        browser.until(".query .primary").click();
        browser.until(".view [role=alert]");
        assertThat(browser.all(".result tbody tr")).isEmpty();
    }

    @Test
    void shouldShowGroupsOfAMeasureAndItsAlerts() throws Exception {
        browser.open("#measures");
        browser.until(".rows tbody tr:nth-child(3)");
        assertThat(browser.until("#measure-title").getText()).isEqualTo("turnover");
        browser.until(".rows th:nth-child(2)[aria-sort=descending]");
        assertThat(browser.look(
                                "[...document.querySelectorAll('.rows tbody tr')].map((row) => Number(row.cells[1].textContent.replaceAll(',', '')))")
                        .valueStream()
                        .map(JsonNode::asLong))
                .isSortedAccordingTo((a, b) -> Long.compare(b, a));
        assertThat(browser.until(".alerts tbody tr").getText()).contains("raised", "busy", "turnover");
        await().untilAsserted(() -> assertThat(browser.until("#tabs .badge").getText())
                .startsWith(
                        String.valueOf(client.json("/api/alerts").get("raised").size())));
    }

    @ParameterizedTest
    @ValueSource(strings = {"#overview", "#flow", "#measures", "#query?region=buys", "#rules/trades"})
    void shouldLetKeysReachEverything(String view) {
        browser.open(view);
        browser.until(".view .card");
        browser.until("#tabs a[aria-current]");
        long count = (Long) Objects.requireNonNull(browser.run("""
                document.querySelectorAll('details').forEach((details) => (details.open = true));
                window.reachable = [...document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex="0"]')]
                  .filter((e) => !e.disabled && e.getClientRects().length && e.checkVisibility());
                window.reached = new Set();
                window.unseen = [];
                document.addEventListener('focusin', (event) => {
                  window.reached.add(event.target);
                  const style = getComputedStyle(event.target.matches('.node') ? event.target.querySelector('rect') : event.target);
                  if (style.outlineStyle === 'none' && !(parseFloat(style.strokeWidth) > 2)) {
                    window.unseen.push(event.target.outerHTML.slice(0, 100));
                  }
                });
                document.activeElement.blur();
                return window.reachable.length;
                """));
        // Elements that are added meanwhile need more keys.
        for (int i = 0; i < 3 * count + 20 && !notReached().isEmpty(); i++) {
            browser.focused().sendKeys(Keys.TAB);
        }
        assertThat(count).isGreaterThan(6);
        assertThat(notReached()).isEmpty();
        assertThat(browser.look("window.unseen")).isEmpty();
    }

    private static JsonNode notReached() {
        return browser.look("window.reachable.filter((e) => e.isConnected && !window.reached.has(e))"
                + ".map((e) => e.outerHTML.slice(0, 100))");
    }

    @ParameterizedTest
    @ValueSource(strings = {"#overview", "#flow/trades/2-enrich", "#measures", "#query?region=buys&where=id%3C100"})
    void shouldKeepNobodyOut(String view) throws Exception {
        String axe = new String(
                Objects.requireNonNull(getClass().getResourceAsStream("/axe.min.js"))
                        .readAllBytes(),
                StandardCharsets.UTF_8);
        List<String> found = new ArrayList<>();
        for (boolean dark : new boolean[] {false, true}) {
            for (int width : new int[] {1280, 360}) {
                browser.lookAs(width, dark);
                browser.open(view);
                browser.until(".view .card td");
                browser.run(axe);
                Object violations = browser.runAsync("""
                        const done = arguments[arguments.length - 1];
                        axe.run({ runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] }).then((result) =>
                          done(result.violations.map((v) => v.id + ': ' + v.nodes.map((n) => n.html.slice(0, 120)).join(' | ')).join('\\n')));
                        """);
                if (!"".equals(violations)) {
                    found.add((dark ? "dark " : "light ") + width + ": " + violations);
                }
                if (browser.run("return document.documentElement.scrollWidth") instanceof Long wide && wide > width) {
                    found.add(width + ": is " + wide + " wide");
                }
            }
        }
        assertThat(found).isEmpty();
    }

    @Test
    void shouldRunNoScriptThatGetsIntoThePage() {
        expected.add("Content Security Policy");
        browser.open("#overview");
        browser.run("""
                const script = document.createElement('script');
                script.textContent = 'window.intruder = true';
                document.body.append(script);
                document.body.insertAdjacentHTML('beforeend', '<img src="/favicon.svg" onload="window.intruder = true">');
                """);
        browser.until("img[src='/favicon.svg']");
        assertThat(browser.run("return window.intruder")).isNull();
    }

    @Test
    void shouldKeepTheThemeThatWasChosen() {
        browser.open("#overview");
        WebElement theme = browser.until("#theme");
        assertThat(theme.getText()).isEqualTo("Theme: auto");
        theme.click();
        theme.click();
        assertThat(theme.getText()).isEqualTo("Theme: dark");
        browser.open("#query");
        assertThat(browser.run("return getComputedStyle(document.documentElement).colorScheme"))
                .isEqualTo("dark");
        browser.until("#theme").click();
        assertThat(browser.until("html").findElement(By.cssSelector("#theme")).getText())
                .isEqualTo("Theme: auto");
    }
}
