package io.millrace.web.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.application.MillraceApplication;
import io.millrace.expression.function.ExpressionFunction;
import io.millrace.pipeline.Pipelines;
import io.millrace.pipeline.rules.RuleChange;
import io.millrace.pipeline.rules.RuleChanges;
import io.millrace.store.Store;
import io.millrace.store.write.RuleVersion;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Changes of rules in a browser, from the first edit to the way back. */
@Tag("long")
class RulesIT {

    @TempDir
    static Path folder;

    @SuppressWarnings("NullAway.Init") // set before all tests
    private static ConfigurableApplicationContext context;

    @SuppressWarnings("NullAway.Init") // likewise
    private static Browser browser;

    /** A function that takes two milliseconds, and counts. */
    public static final class Slow {

        static final AtomicLong CALLS = new AtomicLong();

        private Slow() {}

        public static long slow(long id) {
            CALLS.incrementAndGet();
            LockSupport.parkNanos(2_000_000);
            return id;
        }
    }

    @Configuration
    static class Functions {

        @Bean
        ExpressionFunction slowFunction() {
            return ExpressionFunction.ofStatic("slow", Slow.class, "slow");
        }
    }

    @BeforeAll
    static void openTheBrowser() throws Exception {
        Path config = Files.writeString(folder.resolve("config.yml"), """
                millrace:
                  data: %s
                  regions:
                    all: { layout: blocks, retain: { size: 64MB } }
                    ordered: { layout: blocks }
                  pipelines:
                    trades:
                      feed: { generator: { rate: 5000, seed: 42 } }
                      schema: trade
                      steps:
                        - filter: id %% 10 != 0
                        - measure:
                            name: volume
                            every: 1s
                            values: { trades: count() }
                            alerts: { busy: { when: trades > 1000000 } }
                        - to: all
                    orders:
                      schema: order
                      steps: [ { to: ordered } ]
                """.formatted(folder.resolve("data")));
        context = new SpringApplicationBuilder(MillraceApplication.class, Functions.class)
                .run("--server.port=0", "--spring.config.additional-location=" + config.toUri());
        await().until(() -> context.getBean(Pipelines.class)
                        .named("trades")
                        .orElseThrow()
                        .rules()
                        .version()
                > 0);
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

    private static List<RuleVersion> versions() {
        return context.getBean(RuleChanges.class)
                .of("trades")
                .orElseThrow()
                .history()
                .all();
    }

    private static WebElement editor() {
        browser.open("#rules/trades");
        await().until(() -> !value().isEmpty());
        return browser.until("#rules-text");
    }

    private static String value() {
        return String.valueOf(browser.run("return document.querySelector('#rules-text')?.value ?? ''"));
    }

    private static String explanation() {
        return browser.until(".explanation > div").getText();
    }

    private static void write(WebElement editor, String text) {
        editor.sendKeys(Keys.chord(Keys.CONTROL, "a"), Keys.DELETE);
        // Selenium types faster than completion of fields draws: Escape closes it.
        editor.sendKeys(text, Keys.ESCAPE);
    }

    private static final String CHART = "return document.querySelector('#chart-shadow').toDataURL()";

    /** A share in percent in the legend of the chart; -1 if there is none yet. */
    private static double share(String kind, String column) {
        List<WebElement> cells = browser.all(".disagreement tr[data-kind=" + kind + "] td.num");
        String text =
                cells.isEmpty() ? "" : cells.get(column.equals("now") ? 0 : 1).getText();
        return text.endsWith("%") ? Double.parseDouble(text.replace("%", "")) : -1;
    }

    private static void view(String name) {
        browser.until("#tabs a[href='#" + name + "']").click();
        browser.until(".view-" + name);
    }

    private static void replace(String before, String after) {
        browser.run(
                "const e = document.querySelector('#rules-text'); e.value = e.value.replace(arguments[0], arguments[1]);"
                        + "e.dispatchEvent(new Event('input', { bubbles: true }))",
                before,
                after);
    }

    private static void compare() {
        browser.until("button.compare").click();
        browser.until(".shadow .bars");
    }

    /** The records with a result in the report of the shadow. */
    private static long records(String kind) {
        List<WebElement> rows = browser.all(".shadow .bars tr[data-kind=" + kind + "] td.num");
        return rows.isEmpty() ? -1 : Long.parseLong(rows.getFirst().getText().replace(",", ""));
    }

    @Test
    void shouldEditCheckCompareApplyAndGoBack() {
        WebElement editor = editor();
        assertThat(value()).contains("id % 10 != 0");
        assertThat(browser.until("[data-version='1'] .chip.good").getText()).isEqualTo("live");

        await().untilAsserted(() -> assertThat(explanation()).contains("1-filter", "id % 10 != 0", "all"));

        replace("id %", "ids %");
        assertThat(browser.until(".mistakes").getText()).contains("line 2", "steps[0].filter", "ids", "^");
        assertThat(editor.getDomAttribute("aria-invalid")).isEqualTo("true");
        browser.until(".mistakes button").click();
        assertThat(browser.run("return document.activeElement.id")).isEqualTo("rules-text");
        assertThat(browser.run("const e = document.activeElement; return e.value.slice(0, e.selectionStart)"))
                .asString()
                .contains("steps:")
                .doesNotContain("10 !=");
        assertThat(versions()).hasSize(1);
        assertThat(explanation())
                .startsWith("Of the last text without mistakes")
                .contains("id % 10 != 0");

        replace("ids % 10", "id % 5");
        await().until(() -> browser.all(".mistakes").isEmpty());
        await().until(() -> browser.until("#rules-state").getText().contains("no mistakes"));
        assertThat(explanation()).contains("id % 5 != 0").doesNotContain("last text");
        browser.until(".explanation .expression summary").click();
        assertThat(explanation()).contains("(ne (rem whole id 5) 0)", "Fields read", "i64");

        replace("trades > 1000000", "trades > 1000");
        await().until(() -> explanation().contains("trades > 1000\n"));

        browser.until(".backtest summary").click();
        backtest("where", "amounts > 5");
        assertThat(browser.until(".backtest .problem").getText())
                .contains("no field 'amounts'", "did you mean 'amount1'?");
        backtest("where", "amount1 > 5");
        assertThat(browser.until(".backtest .bars tr[data-kind=newly-dropped] td")
                        .getText())
                .matches("[1-9][\\d,]*");
        assertThat(browser.until(".backtest h3").getText()).isEqualTo("Region all, compared with version 1");
        assertThat(browser.until(".backtest .groups").getText()).contains("Newly dropped", "Buy", "Sell");
        assertThat(browser.until(".backtest .examples").getText()).contains("kept in all", "dropped");
        assertThat(browser.until(".backtest .measure").getText())
                .contains("Measure volume", "Not compared. It has no 'time'");

        compare();
        await().until(() -> records("newly-dropped") > 0);
        assertThat(records("newly-kept")).isZero();
        assertThat(browser.until(".shadow .examples").getText()).contains("kept in all", "dropped");
        await().until(() -> share("newly-dropped", "now") > 0);
        Object drawn = browser.run(CHART);
        await().until(() -> !Objects.equals(browser.run(CHART), drawn));
        assertThat(versions()).hasSize(1);

        browser.until("#rules-comment").sendKeys("fewer");
        browser.until("button.promote").click();
        browser.until("[data-version='2'] .chip.good");
        assertThat(browser.all(".shadow")).isEmpty();
        assertThat(browser.until(".done").getText()).contains("Version 2: running");
        assertThat(versions()).extracting(RuleVersion::comment).containsExactly("", "fewer");
        browser.until("[data-version='2'] button.changes").click();
        assertThat(browser.until(".diff").getText()).contains("- - filter: id % 10 != 0", "+ - filter: id % 5 != 0");

        view("measures");
        assertThat(browser.until(".alerts tr:has(.chip.bad)").getText()).contains("raised", "busy of volume", "trades");
        view("rules");

        browser.until("[data-version='1'] button.rollback").click();
        browser.until("[data-version='3'] .chip.good");
        await().until(() -> value().contains("trades > 1000000"));
        view("measures");
        assertThat(browser.until(".alerts tr:has(.chip.good)").getText()).contains("cleared", "busy of volume");
        await().until(() -> browser.all(".alerts .chip.bad").isEmpty());
        view("rules");
        await().until(() -> !value().isEmpty());
        assertThat(versions()).hasSize(3);
        assertThat(versions().getLast().fingerprint())
                .isEqualTo(versions().getFirst().fingerprint());
        assertThat(value()).contains("id % 10 != 0");
        assertThat(browser.complaints().stream().filter(complaint -> !complaint.contains("/api/map")))
                // A browser logs the responses to the check of the mistake and to the invalid condition,
                // and to a read of the shadow that began before it ended.
                .allMatch(complaint ->
                        complaint.matches(".*(dryRun=true .*422|where=amounts.*400|rules/shadow .*404).*"));
    }

    /** Sends the form twice: only one backtest begins. */
    private static void backtest(String parameter, String text) {
        browser.requests();
        WebElement input = browser.until("#backtest-" + parameter);
        input.sendKeys(Keys.chord(Keys.CONTROL, "a"), Keys.DELETE, text, Keys.ESCAPE);
        browser.run("const by = document.querySelector('#backtest-by'); by.value = 'buySell';"
                + "by.form.requestSubmit(); by.form.requestSubmit()");
        await().until(() -> browser.all(".backtest [aria-busy=true]").isEmpty());
        assertThat(browser.requests().stream().filter(address -> address.contains("/backtest?")))
                .hasSize(1);
    }

    @Test
    void shouldOfferTheRegionsOfThePipelineOnly() {
        editor();
        browser.until(".backtest summary").click();
        await().until(() -> !browser.all("#backtest-region option").isEmpty());
        assertThat(browser.all("#backtest-region option").stream().map(WebElement::getText))
                .containsExactly("all");
        assertThat(browser.all(".backtest .bars")).isEmpty();
        backtest("where", "id < 0");
        assertThat(browser.until(".backtest .empty").getText()).contains("no such records");
    }

    private static boolean asksBeforeUnload() {
        return Boolean.TRUE.equals(
                browser.run("const leaving = new Event('beforeunload', { cancelable: true }); dispatchEvent(leaving);"
                        + "return leaving.defaultPrevented"));
    }

    @Test
    void shouldKeepUnsavedTextWhileOtherViewsAndPipelinesAreOpen() {
        editor();
        long newest = versions().getLast().number();
        assertThat(asksBeforeUnload()).isFalse();
        replace("id % 10", "id % 6");
        assertThat(browser.until(".unsaved").getText())
                .isEqualTo("You have unsaved changes to version " + newest + ".");

        view("measures");
        assertThat(asksBeforeUnload()).isTrue();
        view("rules");
        await().until(() -> value().contains("id % 6"));
        assertThat(browser.until(".unsaved").getText())
                .isEqualTo("You have unsaved changes to version " + newest + ".");
        await().until(() -> browser.until("#rules-state").getText().contains("no mistakes"));
        assertThat(explanation()).contains("id % 6 != 0");

        browser.run("location.hash = '#rules/orders'");
        await().until(() -> value().contains("ordered"));
        assertThat(browser.all(".unsaved")).isEmpty();
        browser.run("location.hash = '#rules/trades'");
        await().until(() -> value().contains("id % 6"));
        assertThat(browser.all(".unsaved")).hasSize(1);

        replace("id % 6", "id % 10");
        await().until(() -> browser.all(".unsaved").isEmpty());
        assertThat(asksBeforeUnload()).isFalse();
        replace("id % 10", "id % 8");
        browser.until("[data-version='" + newest + "'] button.edit").click();
        await().until(() -> value().contains("id % 10"));
        assertThat(browser.all(".unsaved")).isEmpty();
        assertThat(asksBeforeUnload()).isFalse();
    }

    private static void change(String before, String after) {
        context.getBean(RuleChanges.class)
                .change(
                        "trades",
                        versions().getLast().text().replace(before, after),
                        new RuleChange("ann", "-", "test", "", null, false, false));
    }

    private static void rollback() {
        context.getBean(RuleChanges.class)
                .rollback("trades", 1, new RuleChange("ann", "-", "test", "", null, false, false));
    }

    private static String unsaved() {
        return browser.until(".unsaved").getText();
    }

    @Test
    void shouldEndADraftThatIsPromotedAfterTheViewWasLeft() {
        editor();
        replace("id % 10", "id % 3");
        compare();
        view("measures");
        view("rules");
        await().until(() -> value().contains("id % 3"));
        long newest = versions().getLast().number();
        browser.until("button.promote").click();
        browser.until("[data-version='" + (newest + 1) + "'] .chip.good");
        await().until(() -> browser.all(".unsaved").isEmpty());
        assertThat(asksBeforeUnload()).isFalse();
        assertThat(value()).contains("id % 3");

        rollback();
        await().until(() -> value().contains("id % 10"));
        assertThat(browser.all(".unsaved")).isEmpty();
    }

    @Test
    void shouldKeepADraftWhoseVersionIsReplaced() {
        editor();
        change("id % 10", "id % 9");
        await().until(() -> value().contains("id % 9"));
        long newest = versions().getLast().number();
        replace("id % 9", "id % 7");
        browser.until("[data-version='1'] button.rollback").click();
        browser.until("[data-version='" + (newest + 1) + "'] .chip.good");
        String stale = "You have unsaved changes to version " + newest + ", but version " + (newest + 1) + " is newer.";
        assertThat(unsaved()).isEqualTo(stale);
        view("measures");
        view("rules");
        await().until(() -> value().contains("id % 7"));
        assertThat(unsaved()).isEqualTo(stale);

        browser.until("button.newest").click();
        assertThat(unsaved()).isEqualTo("You have unsaved changes to version " + (newest + 1) + ".");
        browser.until("button.apply").click();
        browser.until("[data-version='" + (newest + 2) + "'] .chip.good");
        await().until(() -> browser.all(".unsaved").isEmpty());
        assertThat(versions().getLast().text()).contains("id % 7");
        rollback();
    }

    @Test
    void shouldKeepWhatIsTypedWhileRulesAreApplied() {
        editor();
        long newest = versions().getLast().number();
        replace("id % 10", "id % 9");
        browser.run("const send = fetch; const held = new Promise((release) => window.release = release);"
                + "window.fetch = async (path, options) => {"
                + "  const response = await send(path, options);"
                + "  if (options.method === 'POST' && !path.includes('dryRun')) { await held; }"
                + "  return response; }");
        browser.until("button.apply").click();
        await().until(() -> versions().size() > newest);
        replace("id % 9", "id % 7");
        browser.run("release()");
        assertThat(browser.until(".done").getText()).contains("Version " + (newest + 1));
        assertThat(value()).contains("id % 7");
        assertThat(unsaved()).isEqualTo("You have unsaved changes to version " + (newest + 1) + ".");

        browser.until("button.apply").click();
        browser.until("[data-version='" + (newest + 2) + "'] .chip.good");
        await().until(() -> browser.all(".unsaved").isEmpty());
        assertThat(asksBeforeUnload()).isFalse();
        rollback();
    }

    @Test
    void shouldAskForThePipelinesUntilThereIsAResponse() {
        editor();
        view("measures");
        browser.run("const send = fetch; window.fail = true;"
                + "window.fetch = (path, options) => window.fail && path === '/api/pipelines'"
                + "  ? Promise.reject(new Error('no network')) : send(path, options)");
        view("rules");
        assertThat(browser.until(".problem").getText()).isEqualTo("no network");
        browser.run("window.fail = false");
        await().until(() -> value().contains("id % 10"));
        assertThat(browser.all(".problem")).isEmpty();
    }

    @Test
    void shouldLoadTheTextAfterTheFirstRequestHasFailed() {
        editor();
        long newest = versions().getLast().number();
        replace("id % 10", "id % 6");
        view("measures");
        browser.run("const send = fetch; window.fail = true;"
                + "window.fetch = (path, options) => window.fail && path.endsWith('/rules')"
                + "  ? Promise.reject(new Error('no network')) : send(path, options)");
        view("rules");
        assertThat(browser.until(".problem[role=alert]").getText()).isEqualTo("no network");
        assertThat(browser.all(".unsaved, button.apply:enabled, #rules-text:read-write"))
                .isEmpty();
        browser.run("window.fail = false");
        await().until(() -> value().contains("id % 6"));
        assertThat(unsaved()).isEqualTo("You have unsaved changes to version " + newest + ".");
        replace("id % 6", "id % 10");
        await().until(() -> browser.all(".unsaved").isEmpty());

        browser.run("window.fail = true; location.hash = '#rules/orders'");
        browser.until(".problem[role=alert]");
        assertThat(value()).isEmpty();
        browser.run("window.fail = false");
        await().until(() -> value().contains("ordered"));
        assertThat(browser.all(".unsaved")).isEmpty();
    }

    private static void startSlowBacktest() {
        long before = Slow.CALLS.get();
        browser.until(".backtest summary").click();
        await().until(() -> !browser.all("#backtest-region option").isEmpty());
        browser.until("#backtest-where").sendKeys("#slow(id) < 0", Keys.ESCAPE);
        browser.run("document.querySelector('#backtest-where').form.requestSubmit()");
        browser.until(".backtest button.cancel");
        await().until(() -> Slow.CALLS.get() > before + 20);
    }

    private static void untilNobodyCalls() {
        AtomicLong last = new AtomicLong(-1);
        await().pollInterval(Duration.ofMillis(300)).until(() -> last.getAndSet(Slow.CALLS.get()) == Slow.CALLS.get());
    }

    @Test
    void shouldEndABacktestThatIsCancelledOrLeft() {
        await().until(() -> context.getBean(Store.class).info("all").records() > 20_000);
        editor();
        long calls = Slow.CALLS.get();
        startSlowBacktest();
        browser.until(".backtest button.cancel").click();
        untilNobodyCalls();
        assertThat(Slow.CALLS.get() - calls).isLessThan(10_000);
        assertThat(browser.all(".backtest [aria-busy=true], .backtest .problem, .backtest button.cancel"))
                .isEmpty();
        assertThat(browser.run("return document.activeElement.textContent")).isEqualTo("Backtest");
        backtest("where", "id < 0");
        assertThat(browser.until(".backtest .empty").getText()).contains("no such records");

        editor();
        calls = Slow.CALLS.get();
        startSlowBacktest();
        view("measures");
        untilNobodyCalls();
        assertThat(Slow.CALLS.get() - calls).isLessThan(10_000);
    }

    @Test
    void shouldChartEachShadowFromItsBeginning() {
        editor();
        replace("id % 10", "id % 2");
        compare();
        await().until(() -> share("newly-dropped", "highest") > 20);
        browser.run("document.querySelector('#chart-shadow').drawnFirst = true");

        replace("id % 2", "id % 5");
        await().until(() -> browser.until("#rules-state").getText().contains("no mistakes"));
        assertThat(browser.run("return document.querySelector('#chart-shadow').drawnFirst"))
                .isEqualTo(true);
        compare();
        await().until(() -> {
            double highest = share("newly-dropped", "highest");
            return highest > 0 && highest < 20;
        });
        assertThat(share("newly-kept", "highest")).isZero();
        browser.until("button.stop").click();
        await().until(() -> browser.all(".shadow").isEmpty());
    }

    @Test
    void shouldChartTheLastFiveMinutes() {
        editor();
        assertThat(browser.runAsync("""
                        const done = arguments[arguments.length - 1];
                        Promise.all([import('/js/shadowchart.js'), import('lit-html')]).then(([{ ShadowChart }, { render }]) => {
                          const chart = new ShadowChart();
                          const shadow = (records, dropped) => ({
                            pipeline: 'p', time: 't', fingerprint: 'f', version: 1, since: 0, records,
                            differences: { 'newly-kept': 0, 'newly-dropped': dropped, 'newly-rejected': 0, 'other-target': 0, 'other-values': 0 },
                          });
                          const highest = () => {
                            const element = document.createElement('div');
                            render(chart.template(), element);
                            return element.querySelector('[data-kind=newly-dropped] td:last-child').textContent;
                          };
                          const seen = [];
                          chart.add(shadow(0, 0), 0);
                          chart.add(shadow(100, 50), 1000);
                          for (let second = 2; second <= 301; second++) {
                            if (second === 301) {
                              seen.push(highest());
                            }
                            chart.add(shadow(100 * second, 50), 1000 * second);
                          }
                          done([...seen, highest()].join());
                        }, (e) => done(String(e)));
                        """)).isEqualTo("50%,0%");
    }

    @Test
    void shouldSayThatSomebodyElseHasChangedTheRulesMeanwhile() {
        editor();
        long newest = versions().getLast().number();
        replace("id % 10", "id % 7");
        change("id % 10", "id % 9");
        browser.until("button.apply").click();
        assertThat(browser.until(".problem[role=alert]").getText()).contains(String.valueOf(newest + 1));
        browser.until("button.newest"); // the versions have been read again
        assertThat(browser.until(".problem[role=alert]").getText()).contains(String.valueOf(newest + 1));
        assertThat(versions()).hasSize((int) newest + 1);
        rollback();
    }

    @Test
    void shouldCompleteFieldsByKeys() {
        WebElement editor = editor();
        write(editor, "steps:\n- filter: amou");
        await().untilAsserted(() -> {
            editor.sendKeys(Keys.BACK_SPACE, "u");
            assertThat(browser.all(".completion li").stream().map(WebElement::getText))
                    .anyMatch(name -> name.startsWith("amount1"));
        });
        editor.sendKeys(Keys.TAB);
        assertThat(value()).endsWith("filter: amount1");
    }

    @ParameterizedTest
    @CsvSource({"1280, false", "1280, true", "400, false", "400, true"})
    void shouldBeAccessible(int width, boolean dark) throws Exception {
        browser.lookAs(width, dark);
        try {
            editor();
            replace("id % 10", "id % 4");
            await().until(() -> browser.until("#rules-state").getText().contains("no mistakes"));
            // On a narrow screen, it is closed at first.
            assertThat(browser.all(".explanation[open]")).hasSize(width < 1000 ? 0 : 1);
            if (width < 1000) {
                browser.until(".explanation > summary").click();
            }
            browser.until(".explanation .expression summary").click();
            assertThat(explanation()).contains("id % 4 != 0", "Fields read");
            browser.until(".backtest summary").click();
            backtest("where", "");
            browser.until(".backtest .groups");
            compare();
            await().until(() -> records("newly-dropped") > 0);
            assertThat(browser.run("return [...document.querySelectorAll('#content *')]"
                            + ".filter((e) => !e.closest('.scroll, pre, textarea') && e.getBoundingClientRect().right > innerWidth)"
                            + ".map((e) => e.outerHTML.slice(0, 150)).join('\\n')"))
                    .isEqualTo("");
            assertThat((Long) browser.run("return document.documentElement.scrollWidth"))
                    .isLessThanOrEqualTo(width);
            browser.run(new String(
                    Objects.requireNonNull(getClass().getResourceAsStream("/axe.min.js"))
                            .readAllBytes(),
                    StandardCharsets.UTF_8));
            assertThat(browser.runAsync("""
                            const done = arguments[arguments.length - 1];
                            axe.run({ runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] }).then((result) =>
                              done(result.violations.map((v) => v.id + ': ' + v.nodes.map((n) => n.html.slice(0, 120)).join(' | ')).join('\\n')));
                            """)).isEqualTo("");
            browser.until("button.stop").click();
            await().until(() -> browser.all(".shadow").isEmpty());
        } finally {
            browser.lookAs(1280, false);
        }
    }
}
