package io.millrace.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import calendar.CalendarFunctions;
import io.millrace.application.MillraceApplication;
import io.millrace.cli.check.CheckCommand;
import io.millrace.cli.check.ExplainCommand;
import io.millrace.cli.check.TestCommand;
import io.millrace.expression.error.FunctionException;
import io.millrace.expression.function.ExpressionFunction;
import io.millrace.expression.function.FunctionProvider;
import io.millrace.expression.function.FunctionRegistry;
import io.millrace.pipeline.TradeFile.Trade;
import io.millrace.store.Store;
import io.millrace.store.query.Query;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import picocli.CommandLine;

/** Functions that a library on the class path provides as a service, in commands, pipelines and queries. */
class FunctionProviderTest {

    private final ClassLoader before = Thread.currentThread().getContextClassLoader();

    @TempDir
    Path folder;

    private URLClassLoader library;

    /** Provides another function of the same name. */
    public static final class Duplicate implements FunctionProvider {
        @Override
        public List<ExpressionFunction> functions() {
            return new CalendarFunctions().functions();
        }
    }

    @BeforeEach
    void createLibrary() throws IOException {
        library = new URLClassLoader(new URL[] {folder.toUri().toURL()}, before);
        Thread.currentThread().setContextClassLoader(library);
    }

    @AfterEach
    void closeLibrary() throws IOException {
        Thread.currentThread().setContextClassLoader(before);
        library.close();
    }

    private void register(Class<?>... providers) throws IOException {
        Path services = Files.createDirectories(folder.resolve("META-INF/services"));
        Files.write(
                services.resolve(FunctionProvider.class.getName()),
                List.of(providers).stream().map(Class::getName).toList());
    }

    private Path config(List<Trade> trades) throws IOException {
        Path file = TradeFile.write(folder.resolve("trades.bin"), trades);
        return Files.writeString(
                folder.resolve("config.yml"), """
                millrace:
                  regions:
                    summer: { layout: blocks }
                  pipelines:
                    trades:
                      feed: { file: %s }
                      schema: trade
                      steps:
                        - filter: "#quarter(tradeDate) == 3"
                        - to: summer
                      tests:
                        - { name: a trade of August, hex: "%s", expect: { to: summer } }
                """.formatted(file, "000000000000000150ba" + "00".repeat(29)));
    }

    /** Runs a command on the configuration, and returns its exit code and what it printed. */
    private String run(Object command) throws IOException {
        StringWriter printed = new StringWriter();
        int code = new CommandLine(command)
                .setOut(new PrintWriter(printed))
                .setErr(new PrintWriter(printed))
                .execute(config(TradeFile.random(10, 5)).toString());
        return code + " " + printed;
    }

    @Test
    void shouldBeKnownToCommands() throws IOException {
        assertThat(run(new CheckCommand())).startsWith("1 ").contains("MR1012");
        register(CalendarFunctions.class);
        assertThat(run(new CheckCommand())).startsWith("0 Fine: 1 pipeline, ");
        assertThat(run(new ExplainCommand())).startsWith("0 ").contains("quarter");
        assertThat(run(new TestCommand())).startsWith("0 ");
    }

    @Test
    void shouldBeCalledByPipelinesAndQueries() throws IOException {
        register(CalendarFunctions.class);
        List<Trade> trades = TradeFile.random(1000, 5);
        try (ConfigurableApplicationContext context = new SpringApplicationBuilder(MillraceApplication.class)
                .run(
                        "--server.port=0",
                        "--spring.config.additional-location=" + config(trades).toUri(),
                        "--millrace.data=" + folder.resolve("data"))) {
            await().until(() -> context.getBean(Pipelines.class).ended());
            Store store = context.getBean(Store.class);
            assertThat(store.query("summer", new Query("#quarter(tradeDate) == 3", List.of("id"), List.of(), 1000))
                            .records())
                    .hasSize((int) trades.stream()
                            .filter(trade -> CalendarFunctions.quarter(LocalDate.ofEpochDay(trade.tradeDay())) == 3)
                            .count())
                    .isNotEmpty();
        }
    }

    @Test
    void shouldBeCalledByVirtualFields() throws IOException {
        register(CalendarFunctions.class);
        Files.writeString(folder.resolve("dated.yml"), """
                schema: dated
                length: 39
                fields:
                  - { name: id, type: i64, at: 0 }
                  - { name: tradeDate, type: date, at: 8 }
                  - { name: quarter, virtual: "#quarter(tradeDate)" }
                """);
        Path config = config(TradeFile.random(1000, 5));
        Files.writeString(
                config,
                Files.readString(config)
                        .replace("schema: trade", "schema: dated")
                        .replace("#quarter(tradeDate)", "quarter"));
        try (ConfigurableApplicationContext context = new SpringApplicationBuilder(MillraceApplication.class)
                .run(
                        "--server.port=0",
                        "--spring.config.additional-location=" + config.toUri(),
                        "--millrace.schemas=" + folder,
                        "--millrace.data=" + folder.resolve("data"))) {
            await().until(() -> context.getBean(Pipelines.class).ended());
            assertThat(context.getBean(Store.class)
                            .query("summer", new Query("quarter == 3", List.of("id", "quarter"), List.of(), 10))
                            .records())
                    .hasSize(10)
                    .allSatisfy(record -> assertThat(record).containsEntry("quarter", 3L));
        }
    }

    @Test
    void shouldRefuseTwoOfOneName() throws IOException {
        register(CalendarFunctions.class, Duplicate.class);
        assertThat(run(new CheckCommand()))
                .isEqualTo("1 Function 'quarter': Duplicate name. Rename one. [invalid-function]"
                        + System.lineSeparator());
    }

    @Test
    void shouldRefuseABeanOfTheSameName() throws IOException {
        register(CalendarFunctions.class);
        FunctionRegistry installed = FunctionRegistry.installed();
        List<ExpressionFunction> beans = new Duplicate().functions();
        assertThatThrownBy(() -> installed.with(beans))
                .isInstanceOf(FunctionException.class)
                .hasMessage("Function 'quarter': Duplicate name. Rename one.");
    }
}
