package io.millrace;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.nemesis.Kills;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The promise of a measure: whatever is killed, whenever, each record of a feed that can be replayed is in one window,
 * once. The packaged service measures a made-up network and is killed as {@code kill -9} does it at random moments,
 * some of them long enough after its start that a state was put; what its regions hold in the end is what those of a
 * service hold that nobody killed.
 */
@Tag("long")
class MeasureKillIT {

    private static final int KILLS = Kills.count(1);
    private static final int EVENTS = Math.min(2_000_000, KILLS * 1_200_000);
    private static final int LONGEST_LIFE_MILLIS = 2500;

    /** Rows in blocks, so that one reported twice would be there twice. */
    private static final String CONFIG = """
        millrace:
          regions:
            stops:    { layout: blocks, persistent: true }
            cells:    { layout: blocks, persistent: true }
            bad:      { layout: blocks, persistent: true }
          outputs:
            copies: { file: { folder: copies, format: json } }
          pipelines:
            network:
              partitions: PARTITIONS
              feed: { generator: { count: %d, seed: 3, rate: 400000 } }
              schema: radius-accounting
              steps:
                - measure:
                    name: cells
                    by: cell
                    time: time
                    every: 30s
                    window: 1m
                    to: [ cells, 'output:copies' ]
                    values:
                      events: count()
                      octets: sum(inputTotal + outputTotal)
                      longest: max(sessionTime)
                      dropped: count(terminateCause == 'Lost-Carrier')
                    alerts:
                      bad: { when: dropped > 1, until: dropped == 0, to: [ bad, 'output:copies' ] }
                - filter: status == 'Stop' and cell < 30
                - to: stops
        """.formatted(EVENTS);

    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(ints = {1, 4})
    void shouldReportTheSameWhetherItWasKilledOrNot(int partitions) throws Exception {
        try (MillraceProcess expected = start(prepare("unharmed", 1))) {
            Path killed = prepare("killed", partitions);
            Kills.onTheWay(killed, "network", KILLS, LONGEST_LIFE_MILLIS, Kills.seed());
            assertThat(MillraceProcess.run(killed, "run", "config.yml", "--server.port=0", "--exit-when-done"))
                    .isZero();
            compare(expected, killed);
            for (String file : new String[] {"network+cells-0.jsonl", "network+cells+bad-0.jsonl"}) {
                assertThat(copies(killed, file)).as(file).isEqualTo(copies(folder.resolve("unharmed"), file));
            }
        }
    }

    /** The rows of an output, in an order that does not depend on the groups' first records in partitions. */
    private static List<String> copies(Path folder, String file) throws IOException {
        List<String> rows = Files.readAllLines(folder.resolve("copies").resolve(file));
        assertThat(rows).isNotEmpty();
        return rows.stream().sorted().toList();
    }

    private static void compare(MillraceProcess expected, Path killed) throws Exception {
        try (MillraceProcess actual = start(killed)) {
            awaitDone(expected);
            awaitDone(actual);
            for (String query : new String[] {
                "cells/aggregate?by=start&limit=100000&values=count(),sum(events),sum(octets),max(longest),sum(dropped)",
                "bad/aggregate?by=cell,state&limit=100000&values=count(),min(start),max(start),sum(dropped)",
                "stops/aggregate?values=count()"
            }) {
                assertThat(query(actual, query)).as(query).isEqualTo(query(expected, query));
            }
            assertThat(eventsOfEverySecondWindow(actual)).isEqualTo(EVENTS);
        }
    }

    /**
     * Windows overlap by half, so that those from the last one back, leaving out each other one, have every event once.
     */
    private static long eventsOfEverySecondWindow(MillraceProcess millrace) throws Exception {
        String answer = query(millrace, "cells/aggregate?by=start&limit=100000&values=sum(events)") + "}";
        Map<Instant, Long> events = new HashMap<>();
        for (JsonNode group : JsonMapper.shared().readTree(answer).get("groups")) {
            events.put(
                    Instant.parse(group.get("start").asString()),
                    group.get("sum(events)").asLong());
        }
        Instant last = Collections.max(events.keySet());
        return events.entrySet().stream()
                .filter(window -> Duration.between(window.getKey(), last).toSeconds() % 60 == 0)
                .mapToLong(Map.Entry::getValue)
                .sum();
    }

    private Path prepare(String name, int partitions) throws IOException {
        Path own = Files.createDirectory(folder.resolve(name));
        Files.writeString(own.resolve("config.yml"), CONFIG.replace("PARTITIONS", Integer.toString(partitions)));
        return own;
    }

    private static MillraceProcess start(Path folder) throws IOException {
        return MillraceProcess.start(folder, "run", "config.yml", "--server.port=0");
    }

    private static void awaitDone(MillraceProcess millrace) throws IOException {
        millrace.awaitText("/api/pipelines/network", "\"state\":\"done\"");
    }

    /** The answer, without the time that it took. */
    private static String query(MillraceProcess millrace, String query) throws Exception {
        String answer = String.valueOf(millrace.get("/api/regions/" + query));
        assertThat(answer).contains("\"groups\":[{");
        return answer.substring(0, answer.indexOf(",\"scanned\""));
    }
}
