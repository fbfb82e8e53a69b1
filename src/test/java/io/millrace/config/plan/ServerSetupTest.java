package io.millrace.config.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.config.binding.ConfigurationException;
import io.millrace.config.binding.ConfigurationFiles;
import io.millrace.config.binding.EnvironmentSettings;
import io.millrace.config.binding.ExtensionKinds;
import io.millrace.config.binding.PipelineReader;
import io.millrace.config.binding.PropertyBinding;
import io.millrace.config.properties.Role;
import io.millrace.expression.function.FunctionRegistry;
import io.millrace.schema.Schema;
import io.millrace.schema.yaml.SchemaReader;
import io.millrace.store.region.RegionDefinition;
import io.millrace.table.TableDefinition;
import io.millrace.table.TableLoader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.mock.env.MockEnvironment;

/** What a server needs of the configuration that it shares with the ingest. */
class ServerSetupTest {

    private static final String SHARED = """
            millrace:
              schemas: FOLDER
              role: ROLE
              tables:
                desks: { file: FOLDER/desks.csv, key: id, schema: desk }
              regions:
                trades: { layout: entries, key: id }
                calls: { layout: blocks }
                lines: { layout: blocks }
              pipelines:
                trades:
                  feed: { file: FOLDER/trades.bin }
                  schema: trade
                  steps:
                    - enrich: { table: desks, key: id % 2, add: { desk: name } }
                    - to: trades
                calls:
                  feed: { radius: { clients: [ { address: 10.0.0.1, secret-file: FOLDER/secret } ] } }
                  schema: radius-accounting
                  steps: [ { to: calls } ]
                capture:
                  feed: { pcap: { path: FOLDER/calls.pcap } }
                  schema: radius-accounting
                  steps: [ { to: calls } ]
                lines:
                  feed: { tcp: { port: 5000, ssl-bundle: lines } }
                  schema: trade
                  steps: [ { to: lines } ]
            """;

    private static final String DESK = """
            schema: desk
            layout: fixed
            byte-order: big
            fields:
              - { name: id, type: u32, at: 0 }
              - { name: name, type: string, length: 16, at: 4 }
            """;

    @TempDir
    Path folder;

    @Test
    void shouldNotNeedTheFilesOfPipelinesThatItDoesNotRun() throws IOException {
        Files.writeString(folder.resolve("desk.yml"), DESK);
        assertThatThrownBy(() -> plan(Role.INGEST))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContainingAll("desks.csv", "trades.bin", "secret", "calls.pcap", "ssl-bundle");
        List<RegionDefinition> onServer = plan(Role.SERVER).regions();

        Files.writeString(folder.resolve("desks.csv"), "id,name\n0,Tokyo\n1,Paris\n");
        Files.write(folder.resolve("trades.bin"), new byte[0]);
        Files.writeString(folder.resolve("secret"), "testing123");
        Files.write(folder.resolve("calls.pcap"), new byte[0]);
        List<RegionDefinition> onIngest = plan(Role.INGEST, "lines").regions();

        assertThat(onServer)
                .extracting(RegionDefinition::name)
                .containsExactly(
                        "trades",
                        "calls",
                        "lines",
                        "trades-rejected",
                        "calls-rejected",
                        "capture-rejected",
                        "lines-rejected");
        // As members compare them.
        assertThat(onServer).hasToString(onIngest.toString());
    }

    @Test
    void shouldExpectTheFieldsThatTheIngestAddsFromRecordsAndBuiltTables() throws IOException {
        Files.writeString(folder.resolve("desk.yml"), DESK);
        Files.write(folder.resolve("trades.bin"), new byte[0]);
        Files.writeString(folder.resolve("secret"), "testing123");
        Files.write(folder.resolve("calls.pcap"), new byte[0]);
        Path text = Files.writeString(folder.resolve("desks.csv"), "id,name\n0,Tokyo\n1,Paris\n");
        Path records = Files.write(folder.resolve("desks.bin"), new byte[20]);
        Schema desk = SchemaReader.read("desk.yml", DESK.getBytes(StandardCharsets.UTF_8));
        for (Path source : List.of(text, records)) {
            TableLoader.build(
                    new TableDefinition("desks", source.toString(), "id", desk, folder.resolve("desks.table")),
                    UnaryOperator.identity());
            for (String file : List.of(source.getFileName().toString(), "desks.table")) {
                for (String onMiss : List.of("absent", "reject")) {
                    String configuration = SHARED.replace("desks.csv", file)
                            .replace("add: { desk: name }", "add: { desk: name }, on-miss: " + onMiss);
                    assertThat(plan(configuration, Role.SERVER, Set.of()).regions())
                            .hasToString(plan(configuration, Role.INGEST, Set.of("lines"))
                                    .regions()
                                    .toString());
                }
            }
        }
    }

    @Test
    void shouldNeedTheFileOfATableWhoseTypesFollowFromIt() {
        assertThatThrownBy(() -> plan(SHARED.replace(", schema: desk", ""), Role.SERVER, Set.of()))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("desks.csv")
                .hasMessageNotContaining("trades.bin");
    }

    private Setup plan(Role role, String... sslBundles) throws IOException {
        return plan(SHARED, role, Set.of(sslBundles));
    }

    private Setup plan(String configuration, Role role, Set<String> sslBundles) throws IOException {
        Path file = Files.writeString(
                folder.resolve("config.yml"),
                configuration.replace("FOLDER", folder.toString()).replace("ROLE", role.name()));
        ConfigurableEnvironment environment = ConfigurationFiles.load(List.of(file));
        return new SetupPlanner(
                        PropertyBinding.bind(environment),
                        new PipelineReader(environment, ExtensionKinds.installed(), bundles(sslBundles)),
                        FunctionRegistry.empty())
                .plan();
    }

    private static EnvironmentSettings bundles(Set<String> names) {
        MockEnvironment environment = new MockEnvironment();
        names.forEach(name -> environment.setProperty("spring.ssl.bundle.jks." + name + ".key.alias", "key"));
        return new EnvironmentSettings(environment);
    }
}
