package io.millrace.cli.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** What the check says about the order of messages from several partitions and topics. */
class KafkaOrderTest {

    private static final String CONFIG = """
            millrace:
              data: FOLDER/data
              schemas: examples/kafka/schemas
              regions:
                customers: { layout: entries, persistent: true, key: customer, remove: removed }
              pipelines:
                customers:
                  partitions: 4
                  feed:
                    kafka:
                      bootstrap-servers: localhost:9092
                      topics: customers
                      fields: { customer: key, changed: timestamp, source: header:source, removed: tombstone }
                  schema: customer
                  steps:
                    - to: customers
            """;

    @TempDir
    Path folder;

    private final StringWriter err = new StringWriter();

    private int check(String config) throws IOException {
        Path file = Files.writeString(folder.resolve("config.yml"), config.replace("FOLDER", folder.toString()));
        return new CommandLine(new CheckCommand())
                .setOut(new PrintWriter(new StringWriter()))
                .setErr(new PrintWriter(err, true))
                .execute(file.toString());
    }

    private void requireRefused(String config, String why) throws IOException {
        assertThat(check(config)).isOne();
        assertThat(err.toString()).contains(why).doesNotContain("Exception").doesNotContain("\tat ");
    }

    @Test
    void shouldAcceptTheKeyOfTheMessage() throws IOException {
        assertThat(check(CONFIG)).as(err::toString).isZero();
    }

    @Test
    void shouldRefuseAKeyThatAStepOverwrites() throws IOException {
        requireRefused(
                CONFIG.replace("    - to:", "    - set: { customer: desk }\n        - to:"),
                "several partitions have no common order");
    }

    @Test
    void shouldRefuseAnotherKey() throws IOException {
        requireRefused(CONFIG.replace("key: customer,", "key: limit,"), "several partitions have no common order");
    }

    @Test
    void shouldRefuseSeveralTopics() throws IOException {
        requireRefused(
                CONFIG.replace("topics: customers", "topics: [ customers, others ]"),
                "several partitions have no common order");
    }

    @Test
    void shouldReportAFieldThatDoesNotExist() throws IOException {
        requireRefused(CONFIG.replace("{ customer: key", "{ custmer: key"), "Unknown field 'custmer'");
    }

    @Test
    void shouldRefuseFewerPartitionsThanTopics() throws IOException {
        requireRefused(
                CONFIG.replace("topics: customers", "topics: [ a, b, c ]")
                        .replace("partitions: 4", "partitions: 2")
                        .replace("layout: entries, persistent: true, key: customer, remove: removed", "layout: blocks"),
                "The feed needs at least 3 partitions: topics a, b, c of localhost:9092. Set partitions: 3, or more.");
    }

    /** A server has no feed, so it can't know the order of records. */
    @Test
    void shouldAcceptTheConfigurationOnAServer() throws IOException {
        assertThat(check(CONFIG.replace("millrace:\n", "millrace:\n  role: server\n")))
                .as(err::toString)
                .isZero();
    }
}
