package io.millrace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A cluster that gets the next version of a schema without a stop, while each of its processes is killed: each record
 * of the feed is stored once or rejected once, whichever process took it, and read as the newest version.
 */
class RollingUpgradeIT {

    private static final int RECORDS = 300_000;

    /** So small that the first version is not done before all servers were replaced. */
    private static final int SMALL_BATCH = 2;

    private static final int LARGE_BATCH = 1000;

    /** Of the page of readiness; its other parts may be up by themselves. */
    private static final String READY = "\"geode\":{\"status\":\"UP\"}";

    private static final String COPIED = "\"copies\":{\"status\":\"UP\"";

    private static final Pattern KEPT = Pattern.compile("\"kept\":(\\d+)");
    private static final Pattern RECORDS_OF_REGION = Pattern.compile("\"records\":(\\d+)");

    private static final List<String> REGIONS = List.of("readings", "latest");

    private static final String FIRST = """
        schema: reading
        fields:
          - { name: id,    type: u32 }
          - { name: kind,  type: enum, values: [Power, Gas] }
          - { name: value, type: u16 }
        """;

    private static final String SECOND =
            FIRST.replace("Gas]", "Gas, Heat]").replace("name: value, type: u16", "name: value, type: u32");

    private final List<MillraceProcess> started = new ArrayList<>();

    @TempDir
    Path folder;

    private int locatorPort;

    @BeforeEach
    void prepare() throws Exception {
        locatorPort = FreePort.next();
        Files.writeString(
                folder.resolve("readings.csv"),
                IntStream.range(0, RECORDS)
                        .mapToObj(RollingUpgradeIT::line)
                        .collect(Collectors.joining("\n", "id,kind,value\n", "\n")));
        for (int version = 1; version <= 2; version++) {
            Path schemas = Files.createDirectories(folder.resolve("v" + version));
            Files.writeString(schemas.resolve("reading.yml"), version == 1 ? FIRST : SECOND);
            Files.writeString(folder.resolve("v" + version + ".yml"), """
                millrace:
                  schemas: ../v%d
                  batch-records: %d
                  regions:
                    readings: { layout: blocks, block-records: 128, redundant-copies: 1 }
                    latest: { layout: entries, key: id, redundant-copies: 1 }
                    readings-rejected: { redundant-copies: 1 }
                  pipelines:
                    readings:
                      feed: { csv: ../readings.csv }
                      schema: reading
                      steps:
                        - route:
                            - { when: id %% 2 == 0, to: readings }
                            - { otherwise: latest }
                """.formatted(
                            version, version == 1 ? SMALL_BATCH : LARGE_BATCH));
        }
    }

    /** Each tenth record is one that only the second version accepts. */
    private static String line(int id) {
        return id + "," + (id % 10 == 9 ? "Heat" : id % 3 == 0 ? "Gas" : "Power") + ","
                + (id % 10 == 8 ? 65536 + id : id % 65536);
    }

    private static boolean acceptedByBoth(int id) {
        return id % 10 < 8;
    }

    @AfterEach
    void killAll() {
        started.forEach(MillraceProcess::close);
    }

    @Tag("long")
    @Test
    void shouldStoreEachRecordOnceWhileProcessesAreReplaced() throws Exception {
        start("locator", "locator", "--millrace.geode.name=locator", "--millrace.geode.port=" + locatorPort);
        MillraceProcess one = server("one", 1);
        MillraceProcess two = server("two", 1);
        two.awaitText("/actuator/health", COPIED);
        MillraceProcess ingest = ingest(1);
        untilKept(ingest, 1000);

        one.kill();
        one = server("one", 2);
        one.awaitText("/actuator/health", COPIED);
        untilKept(ingest, kept(ingest) + 1); // the earlier version continues what it has begun
        two.kill();
        two = server("two", 2);
        two.awaitText("/actuator/health", COPIED);
        untilKept(ingest, kept(ingest) + 1);

        assertThat(kept(ingest)).isLessThan(RECORDS * 8L / 10);
        ingest.kill();
        MillraceProcess earlier = ingest(1);
        earlier.awaitText("/actuator/health/readiness", READY);
        await().until(() -> earlier.output().contains("has version 2 of its schema in the cluster"));
        assertThat(earlier.get("/api/regions/latest/1")).contains("\"kind\":\"Power\"", "\"value\":1");
        assertThat(kept(earlier)).isZero();
        earlier.stop();

        MillraceProcess later = ingest(2);
        later.awaitText("/api/pipelines/readings", "\"state\":\"done\"");
        requireEachOnce(later);
        requireEachOnce(one);
        for (String region : REGIONS) {
            migrate(later, region);
        }
        requireEachOnce(two);
    }

    private void migrate(MillraceProcess millrace, String region) throws Exception {
        String url = Objects.requireNonNull(millrace.uri("")).toString();
        try (MillraceProcess command = MillraceProcess.start(folder, "regions", "migrate", region, "--url", url)) {
            assertThat(command.exitCode()).as(command.output()).isZero();
        }
    }

    private void requireEachOnce(MillraceProcess millrace) throws Exception {
        Set<Integer> ids = new HashSet<>();
        for (String region : REGIONS) {
            List<String> lines = Objects.requireNonNull(
                            millrace.get("/api/regions/" + region + "/records?format=csv&select=id,kind,value"))
                    .lines()
                    .skip(1)
                    .toList();
            for (String line : lines) {
                int id = Integer.parseInt(line.substring(0, line.indexOf(',')));
                assertThat(line).isEqualTo(line(id));
                assertThat(ids.add(id)).as("first time: %s", line).isTrue();
            }
        }
        assertThat(IntStream.range(0, RECORDS)
                        .filter(RollingUpgradeIT::acceptedByBoth)
                        .filter(id -> !ids.contains(id)))
                .isEmpty();
        assertThat(ids.size() + number(millrace, "/api/regions/readings-rejected", RECORDS_OF_REGION))
                .isEqualTo(RECORDS);
    }

    private static long kept(MillraceProcess millrace) throws Exception {
        return number(millrace, "/api/pipelines/readings", KEPT);
    }

    private static long number(MillraceProcess millrace, String path, Pattern pattern) throws Exception {
        String page = millrace.get(path);
        Matcher matcher = pattern.matcher(page == null ? "" : page);
        return matcher.find() ? Long.parseLong(matcher.group(1)) : 0;
    }

    private static void untilKept(MillraceProcess millrace, long records) {
        await().until(() -> {
            assertThat(millrace.alive()).as(millrace.output()).isTrue();
            return kept(millrace) >= records;
        });
    }

    private MillraceProcess server(String name, int version) throws Exception {
        return start(
                name,
                "server",
                "../v" + version + ".yml",
                "--millrace.geode.name=" + name,
                "--millrace.geode.port=" + FreePort.next());
    }

    private MillraceProcess ingest(int version) throws Exception {
        return start("ingest", "run", "../v" + version + ".yml", "--millrace.geode.takeover-after=5s");
    }

    private MillraceProcess start(String name, String command, String... arguments) throws IOException {
        Path own = Files.createDirectories(folder.resolve(name));
        MillraceProcess millrace = MillraceProcess.start(
                own,
                Stream.concat(
                                Stream.of(command),
                                Stream.concat(
                                        Stream.of(arguments),
                                        Stream.of(
                                                "--server.port=0",
                                                "--millrace.geode.bind-address=127.0.0.1",
                                                "--millrace.geode.locators=127.0.0.1:" + locatorPort)))
                        .toArray(String[]::new));
        started.add(millrace);
        return millrace;
    }
}
