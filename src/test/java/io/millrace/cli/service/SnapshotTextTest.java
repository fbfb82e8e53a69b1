package io.millrace.cli.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

class SnapshotTextTest {

    private static String text(String partitions) {
        String snapshot = """
                { "time": 0, "heapUsed": 1, "heapMax": 2, "cpu": null, "processors": 2, "gc": [], "pipelines": [
                  { "name": "trades", "state": "running", "eventsPerSecond": 1, "in": 2, "kept": 2, "dropped": 0,
                    "rejected": 0, "lag": 12, "error": null, "partitions": [ %s ], "steps": [] } ] }
                """.formatted(partitions);
        return SnapshotText.of(
                URI.create("http://localhost:8080"), JsonMapper.shared().readTree(snapshot));
    }

    private static String partition(int number, String state, String owner, long lag, boolean absent) {
        return """
                { "partition": %d, "state": "%s", "owner": %s, "position": 5, "lag": %d, "absent": %s }
                """.formatted(number, state, owner, lag, absent);
    }

    @Test
    void shouldShowThePartitionsThatAreFurthestBehind() {
        assertThat(text(String.join(
                                ",",
                                partition(0, "running", "null", 4, false),
                                partition(1, "running", "\"host-2\"", 1_200, false),
                                partition(2, "waiting", "null", -1, false),
                                partition(3, "waiting", "null", 0, true)))
                        .lines()
                        .skip(3)
                        .map(line -> line.replaceAll(" +", " ")))
                .containsExactly(
                        "trades running 1 2 2 0 0 12",
                        " partition 1, in another process running 1,200",
                        " partition 0 running 4",
                        " partition 2 waiting ?");
    }

    @Test
    void shouldShowAPipelineWithOnePartitionAsOneLine() {
        assertThat(text(partition(0, "running", "null", 4, false) + "," + partition(1, "waiting", "null", 0, true))
                        .lines())
                .hasSize(4);
    }

    @Test
    void shouldLimitTheNumberOfPartitions() {
        assertThat(text(IntStream.range(0, 100)
                                .mapToObj(i -> partition(i, "running", "null", i, false))
                                .collect(Collectors.joining(",")))
                        .lines())
                .hasSize(12)
                .last()
                .asString()
                .contains("partition 92");
    }
}
