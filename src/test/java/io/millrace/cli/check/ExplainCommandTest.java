package io.millrace.cli.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ExplainCommandTest {

    private static final String CONFIG = """
            millrace:
              regions:
                buys: { layout: blocks }
                sells: { layout: blocks }
              pipelines:
                trades:
                  schema: trade
                  steps:
                    - set: { notional: amount1 * 2, cents: 'notional > 5 ? amount1 : null' }
                    - filter: >-
                        {'GBP', 'USD'}.contains(currency1) and tradeDate >= '2014-07-21' and notional > 1000000.00 and
                        cents != null
                    - route:
                        - { when: buySell == 'Buy', to: buys }
                        - { otherwise: "channel:rest" }
                others:
                  schema: trade
                  steps: [ { to: sells } ]
            """;

    @TempDir
    Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void shouldReadAConfigurationFromStandardInput() throws IOException {
        InputStream before = System.in;
        System.setIn(new ByteArrayInputStream(CONFIG.getBytes(StandardCharsets.UTF_8)));
        try {
            assertThat(run(new ExplainCommand(), "-")).as(err.toString()).isZero();
        } finally {
            System.setIn(before);
        }
        String explained = out.toString();
        out.getBuffer().setLength(0);
        explain(CONFIG);
        assertThat(explained.replaceAll("\\d+ bytes of code", ""))
                .isEqualTo(out.toString().replaceAll("\\d+ bytes of code", ""));
    }

    @Test
    void shouldReportWhatEachExpressionBecame() throws IOException {
        assertThat(explain(CONFIG)).isZero();
        assertThat(err).hasToString("");
        assertThat(out.toString().replaceAll("\\d+ bytes of code", "N bytes of code"))
                .isEqualTo("""
                trades: records of schema trade, 39 bytes, and 17 bytes added
                  source     messages to trades.in

                trades.1-set: N bytes of code
                  writes     notional  decimal2 i64  8 bytes  added at 0
                             cents     decimal2 i64  8 bytes  added at 8  optional

                  set        notional = amount1 * 2
                  form       (set notional (mul decimal2 amount1 2))
                  type       decimal2
                  reads      amount1  decimal2 i64  8 bytes  at 12

                  set        cents = notional > 5 ? amount1 : null
                  form       (set cents (choose decimal2 (gt notional decimal2:500) amount1 absent))
                  type       decimal2
                  reads      notional  decimal2 i64  8 bytes  added at 0
                             amount1   decimal2 i64  8 bytes  at 12
                  constants  decimal2:500  5.00

                trades.2-filter: N bytes of code
                  filter     {'GBP', 'USD'}.contains(currency1) and tradeDate >= '2014-07-21' and notional > 1000000.00 and cents != null
                  form       (and
                               (in currency1 [5, 7])
                               (ge tradeDate date:16272)
                               (gt notional decimal2:100000000)
                               (not (absent cents)))
                  type       boolean
                  reads      currency1  enum u8       1 byte   at 11
                             tradeDate  date u16      2 bytes  at 8
                             notional   decimal2 i64  8 bytes  added at 0
                             cents      decimal2 i64  8 bytes  added at 8  optional
                  constants  code:5              'GBP'
                             code:7              'USD'
                             date:16272          2014-07-21
                             decimal2:100000000  1000000.00

                trades.3-route: N bytes of code
                  when       buySell == 'Buy'
                  to         buys
                  form       (eq buySell code:0)
                  type       boolean
                  reads      buySell  enum u8  1 byte  at 10
                  constants  code:0  'Buy'

                  otherwise  channel:rest

                others: records of schema trade, 39 bytes, and 0 bytes added
                  source     messages to others.in

                others.1-to
                  to         sells
                """);
    }

    @Test
    void shouldReportOnePipelineIfRequested() throws IOException {
        assertThat(explain(CONFIG, "--pipeline", "others")).isZero();
        assertThat(out.toString()).startsWith("others: ").doesNotContain("trades.");
        assertThat(explain(CONFIG, "--pipeline", "other")).isEqualTo(2);
        assertThat(err.toString()).contains("Unknown pipeline 'other'. Did you mean 'others'?");
    }

    @Test
    void shouldReportTheSameAsJson() throws IOException {
        assertThat(explain(CONFIG, "--json", "--pipeline=trades")).isZero();
        JsonNode trades = JsonMapper.shared().readTree(out.toString()).get(0);
        assertThat(trades.at("/addedBytes").intValue()).isEqualTo(17);
        assertThat(trades.at("/steps/0/writes/1/name").stringValue()).isEqualTo("cents");
        JsonNode filter = trades.at("/steps/1/expressions/0");
        assertThat(filter.at("/role").stringValue()).isEqualTo("filter");
        assertThat(filter.at("/constants/0/raw").stringValue()).isEqualTo("5");
        assertThat(filter.at("/constants/0/meaning").stringValue()).isEqualTo("'GBP'");
        assertThat(filter.at("/reads/2/added").booleanValue()).isTrue();
        JsonNode otherwise = trades.at("/steps/2/expressions/1");
        assertThat(otherwise.at("/target").stringValue()).isEqualTo("channel:rest");
        assertThat(otherwise.has("form")).isFalse();
    }

    @Test
    void shouldListTheConstraintsThatAStepChecks() throws IOException {
        Path schemas = Files.createDirectory(folder.resolve("schemas"));
        Files.writeString(schemas.resolve("deal.yml"), """
                schema: deal
                layout: compact
                fields:
                  - { name: id, type: string, length: 20, required: true, pattern: 'D-[0-9]+' }
                  - { name: traded, type: date }
                  - { name: settled, type: date }
                  - name: legs
                    type: group
                    repeat: 20
                    fields:
                      - { name: notional, type: decimal, scale: 2, min: 0, max: 1000000000.50 }
                      - { name: currency, type: string, length: 3 }
                constraints:
                  - { name: order-of-dates, condition: settled >= traded, message: settled after it was traded }
                  - { name: notional-given, each: legs, condition: notional > 0, message: the notional is above 0 }
                """);
        String config = """
                millrace:
                  schemas: %s
                  regions: { all: { layout: blocks } }
                  pipelines:
                    deals: { schema: deal, steps: [ { validate: mark }, { to: all } ] }
                """.formatted(schemas);
        assertThat(explain(config)).as(err.toString()).isZero();
        assertThat(out.toString()).contains("""
                deals.1-validate
                  writes     valid  boolean u8  1 byte  added at 28
                  checks     id: pattern D-[0-9]+, required
                             legs[].notional: min 0, max 1000000000.50
                             order-of-dates: settled >= traded
                             notional-given of each of legs: notional > 0

                deals.2-to
                """);
        out.getBuffer().setLength(0);
        assertThat(explain(config, "--json")).isZero();
        JsonNode step = JsonMapper.shared().readTree(out.toString()).at("/0/steps/0");
        assertThat(step.path("constraints").valueStream().map(JsonNode::asString))
                .containsExactly(
                        "id: pattern D-[0-9]+, required",
                        "legs[].notional: min 0, max 1000000000.50",
                        "order-of-dates: settled >= traded",
                        "notional-given of each of legs: notional > 0");
    }

    @Test
    void shouldShortenALongListOfConstants() throws IOException {
        String names = "'AUD','CAD','CHF','EUR','GBP','JPY'";
        String days = "tradeDate == '2014-01-02' or tradeDate == '2014-01-03' or "
                + "{'2015-01-01','2015-01-02','2015-01-03','2015-01-04','2015-01-05','2015-01-06','2015-01-07',"
                + "'2015-01-08','2015-01-09','2015-01-10'}.contains(tradeDate)";
        assertThat(explain("""
                millrace:
                  regions: { buys: { layout: blocks } }
                  pipelines:
                    trades:
                      schema: trade
                      steps:
                        - filter: "{%s}.contains(currency1) or %s"
                        - to: buys
                """.formatted(names, days))).isZero();
        assertThat(out.toString()).contains("2015-01-08").contains("and 2 more").doesNotContain("2015-01-10 ");
    }

    @Test
    void shouldExplainTheSampleWithoutAConfiguration() {
        assertThat(run(new ExplainCommand())).isZero();
        assertThat(out.toString())
                .contains("trades.1-filter: ", "currency1 != 'JPY' and amount1 > 1000000", "code:6", "'JPY'");
    }

    @Test
    void shouldListMistakesAsCheckDoes() throws IOException {
        String wrong = CONFIG.replace("amount1 * 2", "amuont1 * 2").replace("to: sells", "to: sels");
        Path file = write(wrong);
        assertThat(run(new CheckCommand(), file.toString())).isOne();
        String expected = err.toString();
        assertThat(expected).contains("4 mistakes", "amuont1", "config.yml:9:28", "Did you mean 'sells'?");
        err.getBuffer().setLength(0);

        assertThat(run(new ExplainCommand(), file.toString())).isOne();

        assertThat(err).hasToString(expected);
        assertThat(out).hasToString("");
    }

    @Test
    void shouldRefuseAFileThatIsNotThereAsWrongUsage() {
        for (Callable<Integer> command : List.of(new CheckCommand(), new ExplainCommand())) {
            assertThat(run(command, "nowhere.yml")).isEqualTo(2);
        }
        assertThat(err.toString()).contains("File not found: 'nowhere.yml'");
    }

    private int explain(String yaml, String... options) throws IOException {
        List<String> arguments = new ArrayList<>(List.of(options));
        arguments.add(write(yaml).toString());
        return run(new ExplainCommand(), arguments.toArray(String[]::new));
    }

    private Path write(String yaml) throws IOException {
        return Files.writeString(folder.resolve("config.yml"), yaml);
    }

    private int run(Callable<Integer> command, String... arguments) {
        return new CommandLine(command)
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(arguments);
    }
}
