package io.millrace;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.nemesis.Kills;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The promise of schemas that change: whatever is killed, whenever, in a version, at the start with the next one or
 * while a region is migrated, each record is in its region once, with the values that the newest version gives it. What
 * is expected is computed from the numbers of the records alone, and compared as text.
 */
@Tag("long")
class SchemaEvolutionKillIT {

    private static final int KILLS = Kills.count(1);

    /** Kills at moments that others come close to: none by default. */
    private static final int MORE_KILLS = Kills.count(0);

    private static final int RECORDS = 100_000;

    /** More than the first version reads before it is killed. */
    private static final int MANY = 200_000;

    private static final int LONGEST_LIFE_MILLIS = 300;
    private static final int LONGEST_START_MILLIS = 2500;
    private static final int LONGEST_MIGRATION_MILLIS = 300;

    private static final List<String> REGIONS = List.of("rows", "columns", "entries");
    private static final List<String> KINDS = List.of("Power", "Gas", "Water", "Heat");

    private static final String FIRST = """
        schema: reading
        fields:
          - { name: id,     type: u32 }
          - { name: kind,   type: enum, values: [Power, Gas, Water] }
          - { name: value,  type: u16 }
          - { name: note,   type: string, length: 6 }
          - { name: amount, type: decimal, scale: 2, as: i32 }
          - { name: low,    type: u8 }
          - { name: old,    type: u16 }
        """;

    /** One more name, a wider integer, a longer text and an optional field. */
    private static final String SECOND = FIRST.replace("Water]", "Water, Heat]")
                    .replace("name: value,  type: u16", "name: value,  type: u32")
                    .replace("length: 6", "length: 9")
            + "  - { name: zone, type: u8, optional: true, absent: flag }\n";

    /**
     * A field and a name that were renamed, one that became optional, a larger decimal, and a field that was removed.
     */
    private static final String THIRD = SECOND.replace("name: value, ", "name: reading, was: value, ")
            .replace("Gas", "NaturalGas")
            .replace("name: low,    type: u8", "name: low,    type: u8, optional: true, absent: flag")
            .replace("scale: 2, as: i32", "scale: 2, as: i64")
            .replace("  - { name: old,    type: u16 }\n", "");

    private static final String HEAD = "id,kind,reading,note,amount,low,zone";

    @TempDir
    Path folder;

    private final long seed = Kills.seed();
    private final Random random = new Random(seed);

    @Test
    void shouldReadEachRecordOnceAsTheNewestVersionWheneverItIsKilled() throws Exception {
        feed("day-1", FIRST, "id,kind,value,note,amount,low,old", SchemaEvolutionKillIT::first);
        if (MORE_KILLS > 0) {
            Kills.onTheWay(folder, "day-1", MORE_KILLS, LONGEST_LIFE_MILLIS, random.nextLong());
        }
        finish();

        feed("day-2", SECOND, "id,kind,value,note,amount,low,old,zone", SchemaEvolutionKillIT::second);
        killWhileItStarts(MORE_KILLS);
        Kills.onTheWay(folder, "day-2", KILLS, LONGEST_LIFE_MILLIS, random.nextLong());
        finish();

        feed("day-3", THIRD, HEAD, SchemaEvolutionKillIT::third);
        killWhileItStarts(MORE_KILLS);
        Kills.onTheWay(folder, "day-3", KILLS, LONGEST_LIFE_MILLIS, random.nextLong());

        for (int kill = 0; kill < KILLS; kill++) {
            killWhileItMigrates();
        }
        try (MillraceProcess millrace = start()) {
            awaitDone(millrace, "day-3");
            requireAll(millrace);
            for (String region : REGIONS) {
                assertThat(migrate(millrace, region)).startsWith(region + ": ");
            }
            requireAll(millrace);
            millrace.stop();
        }
        try (MillraceProcess millrace = start()) {
            awaitDone(millrace, "day-3");
            requireAll(millrace);
            assertThat(migrate(millrace, "entries")).isEqualTo("entries: 0 values rewritten\n");
        }
    }

    /** Another code and a wider integer on the second day of one file's pipeline. */
    @Test
    void shouldStoreTheSecondDayWheneverItIsKilled() throws Exception {
        String reading = """
            schema: reading
            fields:
              - { name: meter, type: u32 }
              - { name: kind,  type: enum, values: [Power, Gas] }
              - { name: value, type: u16 }
            """;
        Files.writeString(folder.resolve("day1.csv"), "meter,kind,value\n1,Power,100\n2,Gas,65535\n");
        Files.writeString(folder.resolve("day2.csv"), "meter,kind,value\n3,Heat,70000\n");
        for (int day = 1; day <= 2; day++) {
            Files.writeString(
                    folder.resolve("reading.yml"),
                    day == 1 ? reading : reading.replace("Gas]", "Gas, Heat]").replace("u16", "u32"));
            Files.writeString(folder.resolve("config.yml"), """
                millrace:
                  schemas: .
                  regions: { readings: { layout: blocks, persistent: true } }
                  pipelines:
                    day-%1$s: { feed: { csv: day%1$s.csv }, schema: reading, steps: [ { to: readings } ] }
                """.formatted(day));
            if (day == 1) {
                finish();
            }
        }
        killWhileItStarts(KILLS);
        try (MillraceProcess millrace = start()) {
            awaitDone(millrace, "day-2");
            assertThat(records(millrace, "readings"))
                    .containsExactly("meter,kind,value", "1,Power,100", "2,Gas,65535", "3,Heat,70000");
        }
    }

    /**
     * No orderly stop between two versions. The second one accepts records that the first one rejects, whether or not
     * their rejects were stored when it was killed.
     */
    @Test
    void shouldContinueAKilledPipelineWithTheNextVersion() throws Exception {
        Files.writeString(
                folder.resolve("reading.csv"),
                IntStream.range(0, MANY)
                        .mapToObj(SchemaEvolutionKillIT::oftenRejected)
                        .collect(Collectors.joining("\n", "id,kind,value\n", "\n")));
        Files.writeString(folder.resolve("config.yml"), """
            millrace:
              schemas: .
              batch-records: 50
              regions:
                rows: { layout: blocks, persistent: true, block-records: 50 }
                columns: { layout: blocks, persistent: true, block-records: 50, encoding: columns }
                entries: { layout: entries, key: id, persistent: true }
              pipelines:
                readings:
                  feed: { csv: reading.csv }
                  schema: reading
                  steps:
                    - route:
                        - { when: id % 3 == 0, to: rows }
                        - { when: id % 3 == 1, to: columns }
                        - { otherwise: entries }
            """);
        String reading = """
            schema: reading
            fields:
              - { name: id,    type: u32 }
              - { name: kind,  type: enum, values: [Power, Gas] }
              - { name: value, type: u16 }
            """;
        Files.writeString(folder.resolve("reading.yml"), reading);
        Kills.onTheWay(folder, "readings", KILLS, LONGEST_LIFE_MILLIS, random.nextLong());
        Files.writeString(
                folder.resolve("reading.yml"),
                reading.replace("Gas]", "Gas, Heat]").replace("u16", "u32"));
        killWhileItStarts(KILLS);
        try (MillraceProcess millrace = start()) {
            awaitDone(millrace, "readings");
            List<String> lines = new ArrayList<>();
            for (String region : REGIONS) {
                lines.addAll(records(millrace, region).stream().skip(1).toList());
            }
            assertThat(lines).doesNotHaveDuplicates();
            Set<String> stored = Set.copyOf(lines);
            Set<String> all = IntStream.range(0, MANY)
                    .mapToObj(SchemaEvolutionKillIT::oftenRejected)
                    .collect(Collectors.toSet());
            assertThat(lines).allMatch(all::contains);
            assertThat(IntStream.range(0, MANY)
                            .filter(id -> id % 10 < 8)
                            .mapToObj(SchemaEvolutionKillIT::oftenRejected)
                            .filter(line -> !stored.contains(line)))
                    .isEmpty();
            assertThat(Objects.requireNonNull(millrace.get("/api/regions/readings-rejected")))
                    .contains("\"records\":" + (MANY - lines.size()) + ",");
        }
    }

    private static String oftenRejected(int id) {
        return id + "," + (id % 10 == 9 ? "Heat" : id % 7 == 0 ? "Gas" : "Power") + ","
                + (id % 10 == 8 ? 65536 + id : id % 65536);
    }

    private void feed(String pipeline, String schema, String head, IntFunction<String> line) throws IOException {
        Files.writeString(folder.resolve("reading.yml"), schema);
        int day = pipeline.charAt(pipeline.length() - 1) - '1';
        Files.writeString(
                folder.resolve(pipeline + ".csv"),
                IntStream.range(day * RECORDS, (day + 1) * RECORDS)
                        .mapToObj(line)
                        .collect(Collectors.joining("\n", head + "\n", "\n")));
        Files.writeString(folder.resolve("config.yml"), """
            millrace:
              schemas: .
              batch-records: 20
              regions:
                rows: { layout: blocks, persistent: true, block-records: 50 }
                columns: { layout: blocks, persistent: true, block-records: 50, encoding: columns }
                entries: { layout: entries, key: id, persistent: true }
              pipelines:
                %1$s:
                  feed: { csv: %1$s.csv }
                  schema: reading
                  steps:
                    - route:
                        - { when: id %% 3 == 0, to: rows }
                        - { when: id %% 3 == 1, to: columns }
                        - { otherwise: entries }
            """.formatted(pipeline));
    }

    private static String amount(int id) {
        return (id % 2 == 0 ? "-" : "") + "21474836." + (10 + id % 38);
    }

    private static String first(int id) {
        return id + "," + KINDS.get(id / 3 % 3) + "," + (65535 - id % 1000) + ",n" + id % 99999 + "," + amount(id) + ","
                + id % 256 + ",7";
    }

    private static String second(int id) {
        return id + "," + KINDS.get(id / 3 % 4) + "," + (4294967295L - id) + ",longer-" + id % 100 + "," + amount(id)
                + "," + id % 256 + ",7," + (id % 5 == 0 ? "" : id % 256);
    }

    private static String third(int id) {
        return id + "," + renamed(KINDS.get(id / 3 % 4)) + "," + (4294967295L - id) + ",longer-" + id % 100 + ","
                + (90_000_000_000_000L + id) + ".25," + (id % 7 == 0 ? "" : id % 256) + ","
                + (id % 5 == 0 ? "" : id % 256);
    }

    private static String renamed(String kind) {
        return kind.equals("Gas") ? "NaturalGas" : kind;
    }

    /** Returns the line of a record as the newest version reads it. */
    private static String newest(int id) {
        if (id >= 2 * RECORDS) {
            return third(id);
        }
        boolean one = id < RECORDS;
        return id + "," + renamed(KINDS.get(id / 3 % (one ? 3 : 4))) + ","
                + (one ? 65535 - id % 1000 : 4294967295L - id) + "," + (one ? "n" + id % 99999 : "longer-" + id % 100)
                + "," + amount(id) + "," + id % 256 + "," + (one || id % 5 == 0 ? "" : id % 256);
    }

    private MillraceProcess start() throws IOException {
        return MillraceProcess.start(folder, "run", "config.yml", "--server.port=0");
    }

    private void finish() throws IOException, InterruptedException {
        assertThat(MillraceProcess.run(folder, "run", "config.yml", "--server.port=0", "--exit-when-done"))
                .isZero();
    }

    private void killWhileItStarts(int kills) throws Exception {
        Kills.whileItStarts(folder, kills, LONGEST_START_MILLIS, random);
    }

    private void killWhileItMigrates() throws Exception {
        try (MillraceProcess millrace = start();
                HttpClient http = HttpClient.newHttpClient()) {
            awaitDone(millrace, "day-3");
            for (String region : REGIONS) {
                HttpRequest request = HttpRequest.newBuilder(
                                Objects.requireNonNull(millrace.uri("/api/regions/" + region + "/migrate")))
                        .POST(BodyPublishers.noBody())
                        .build();
                var _ = http.sendAsync(request, BodyHandlers.discarding());
            }
            Kills.atAnyMoment(millrace, "day-3", random.nextInt(LONGEST_MIGRATION_MILLIS));
        }
    }

    /** Returns what the command prints. */
    private String migrate(MillraceProcess millrace, String region) throws Exception {
        String url = Objects.requireNonNull(millrace.uri("")).toString();
        try (MillraceProcess command = MillraceProcess.start(folder, "regions", "migrate", region, "--url", url)) {
            assertThat(command.exitCode()).as(command.output()).isZero();
            return command.output();
        }
    }

    private static void awaitDone(MillraceProcess millrace, String pipeline) throws IOException {
        millrace.awaitText("/api/pipelines/" + pipeline, "\"state\":\"done\"");
    }

    private void requireAll(MillraceProcess millrace) throws Exception {
        for (int i = 0; i < REGIONS.size(); i++) {
            int rest = i;
            List<String> expected = new ArrayList<>(List.of(HEAD));
            IntStream.range(0, 3 * RECORDS)
                    .filter(id -> id % 3 == rest)
                    .mapToObj(SchemaEvolutionKillIT::newest)
                    .sorted()
                    .forEach(expected::add);
            assertThat(records(millrace, REGIONS.get(i))).as(REGIONS.get(i)).isEqualTo(expected);
        }
    }

    /** Returns the head and the lines of all records, these sorted as texts. */
    private static List<String> records(MillraceProcess millrace, String region) throws Exception {
        List<String> lines = Objects.requireNonNull(millrace.get("/api/regions/" + region + "/records?format=csv"))
                .lines()
                .toList();
        List<String> sorted = new ArrayList<>(lines.subList(0, 1));
        lines.stream().skip(1).sorted().forEach(sorted::add);
        return sorted;
    }
}
