package io.millrace.web.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.application.MillraceApplication;
import io.millrace.codec.json.JsonToCompact;
import io.millrace.schema.yaml.SchemaReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.messaging.MessageChannel;
import org.springframework.messaging.support.GenericMessage;

/** A tap on compact records in a browser: the values as a tree, next to their bytes. */
class CompactTapIT {

    @TempDir
    static Path folder;

    @SuppressWarnings("NullAway.Init") // set before all tests
    private static ConfigurableApplicationContext context;

    @SuppressWarnings("NullAway.Init") // likewise
    private static Browser browser;

    @SuppressWarnings("NullAway.Init") // likewise
    private static byte[] swap;

    @BeforeAll
    static void openTheBrowser() throws Exception {
        Path config = Files.writeString(folder.resolve("config.yml"), """
                millrace:
                  schemas: examples/swap/schemas
                  data: %s
                  regions:
                    all: { layout: blocks }
                  pipelines:
                    swaps:
                      schema: swap
                      steps:
                        - filter: broker == null or broker.country != 'XX'
                        - set: { total: '#sum(legs.![notional])' }
                        - to: all
                """.formatted(folder.resolve("data")));
        context = new SpringApplicationBuilder(MillraceApplication.class)
                .run("--server.port=0", "--spring.config.additional-location=" + config.toUri());
        browser = Browser.start("http://127.0.0.1:" + context.getEnvironment().getProperty("local.server.port"));
        browser.lookAs(1280, false);
        JsonToCompact writer = new JsonToCompact(SchemaReader.read(Path.of("examples/swap/schemas/swap.yml")));
        byte[] json =
                Files.readAllLines(Path.of("examples/swap/swaps.jsonl")).get(1).getBytes(StandardCharsets.UTF_8);
        writer.append(json, 0, json.length);
        swap = writer.encoder().toBytes();
    }

    @AfterAll
    static void end() {
        if (browser != null) {
            browser.close();
        }
        context.close();
    }

    @BeforeEach
    void tap() {
        browser.open("#flow/swaps/2-set");
        browser.until(".tap-head");
        await().until(() -> {
            context.getBean("swaps.in", MessageChannel.class).send(new GenericMessage<>(swap));
            return !browser.all(".fields.tree [role=treeitem]").isEmpty();
        });
    }

    private static String text(String script) {
        return String.valueOf(browser.run("return " + script));
    }

    private static String marked() {
        return text("[...document.querySelectorAll('.byte.marked')].map((e) => e.textContent).join('')");
    }

    @Test
    void shouldShowARecordAsATreeAndMarkTheBytesOfItsParts() {
        assertThat(browser.all("[role=tree] [role=treeitem] .name").stream().map(WebElement::getText))
                .startsWith("id", "tradeDate", "status", "cleared", "buyer", "name", "country", "broker", "name")
                .containsSubsequence("legs", "[0]", "currency", "notional", "fixedRate", "[1]", "currency")
                .endsWith("total");
        assertThat(browser.until("[id='field-legs[1].index'] .value").getText()).isEqualTo("SOFR");
        assertThat(browser.until("[id='field-legs'] .value").getText()).isEqualTo("2 elements");
        assertThat(browser.until("[id='field-legs[1].index']").getDomAttribute("aria-level"))
                .isEqualTo("3");

        WebElement tree = browser.until(".fields.tree");
        for (int i = 0; i < 8; i++) {
            tree.sendKeys(Keys.ARROW_DOWN);
        }
        assertThat(tree.getDomAttribute("aria-activedescendant")).isEqualTo("field-broker");
        String broker = marked();
        tree.sendKeys(Keys.ARROW_DOWN);
        String name = "Harbour Brokers";
        assertThat(marked()).isEqualTo(hex(name)).hasSizeLessThan(broker.length());
        assertThat(broker).contains(marked());

        browser.run("document.querySelector(`.byte[data-field='legs[1].index']`)"
                + ".dispatchEvent(new PointerEvent('pointerover', {bubbles: true}))");
        assertThat(browser.until(".fields .marked .value").getText()).isEqualTo("SOFR");
        // The schema lists it as a frequent text, so that it takes one byte.
        assertThat(marked()).hasSize(2);
    }

    private static String hex(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        StringBuilder hex = new StringBuilder("%02x".formatted(bytes.length));
        for (byte each : bytes) {
            hex.append("%02x".formatted(each));
        }
        return hex.toString();
    }

    @Test
    void shouldNotShowInternalNames() {
        assertThat(browser.until("main").getText()).contains("broker").doesNotContain("broker?");
        for (String path : List.of("/api/pipelines/swaps/explain", "/api/regions/all")) {
            assertThat((String) Objects.requireNonNull(browser.runAsync("const done = arguments[arguments.length - 1];"
                            + "fetch('" + path + "').then((answer) => answer.text()).then(done);")))
                    .contains("\"name\":\"broker")
                    .doesNotContain("\"name\":\"broker?\"");
        }
    }

    @Test
    void shouldBeAccessible() throws Exception {
        browser.run(new String(
                Objects.requireNonNull(getClass().getResourceAsStream("/axe.min.js"))
                        .readAllBytes(),
                StandardCharsets.UTF_8));
        assertThat(browser.runAsync("""
                        const done = arguments[arguments.length - 1];
                        axe.run({ runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] }).then((result) =>
                          done(result.violations.map((v) => v.id + ': ' + v.nodes.map((n) => n.html.slice(0, 120)).join(' | ')).join('\\n')));
                        """)).isEqualTo("");
    }
}
