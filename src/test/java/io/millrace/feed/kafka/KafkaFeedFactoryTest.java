package io.millrace.feed.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.extension.NoSettings;
import io.millrace.feed.FeedCheck;
import io.millrace.feed.FeedDefinition;
import io.millrace.feed.FeedEnd;
import io.millrace.feed.framing.FramingKind;
import io.millrace.feed.kafka.KafkaFeedProperties.OnRemoved;
import io.millrace.schema.yaml.Schemas;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class KafkaFeedFactoryTest {

    private final List<String> problems = new ArrayList<>();
    private final FeedCheck check =
            new FeedCheck("kafka", new NoSettings(), (at, message) -> problems.add(at + ": " + message));

    private @Nullable FeedDefinition define(
            @Nullable String servers, List<String> topics, String start, Map<String, String> others) {
        return new KafkaFeedFactory()
                .define(
                        new KafkaFeedProperties(
                                servers,
                                topics,
                                start,
                                null,
                                null,
                                null,
                                Map.of(),
                                OnRemoved.FAIL,
                                null,
                                true,
                                others,
                                null,
                                null),
                        check);
    }

    @Test
    void shouldDescribeTheTopic() {
        FeedDefinition feed =
                Objects.requireNonNull(define("kafka-1:9092, kafka-2:9092", List.of("trades"), "earliest", Map.of()));
        assertThat(problems).isEmpty();
        assertThat(feed.describe()).isEqualTo("topic trades of kafka-1:9092, kafka-2:9092");
        assertThat(feed.end()).isEqualTo(FeedEnd.NEVER);
        assertThat(feed.partitions()).isEqualTo(16);
        assertThat(feed.splittable(Schemas.builtIn().get("trade"))).isTrue();
    }

    @Test
    void shouldReportInvalidProperties() {
        define(null, List.of(), "earliest", Map.of());
        define(
                "kafka",
                List.of("trades/3", "trades", "trades"),
                "yesterday",
                Map.of("group.id", "a", "fetch.max.byte", "1", "sasl.mechanism", "x"));
        define("kafka:0,:9092,kafka:9092", List.of("trades"), "2026-01-31", Map.of("bootstrap.servers", "a:1"));
        define("kafka:9092", List.of("trades"), "latest", Map.of("fetch.max.wait.ms", "soon"));
        assertThat(problems)
                .containsExactly(
                        "feed.kafka.bootstrap-servers: Missing value: the addresses of brokers, such as kafka-1:9092."
                                + " [missing-value]",
                        "feed.kafka.topics: Missing value: the name of a topic, or a list of them. [missing-value]",
                        "feed.kafka.properties: Unknown property 'fetch.max.byte' of Kafka's client. Remove it."
                                + " [invalid-value]",
                        "feed.kafka.properties: 'group.id' is set by Millrace. Remove it from 'properties'."
                                + " [no-effect]",
                        "feed.kafka.bootstrap-servers: Invalid address 'kafka'. Use HOST:PORT, such as kafka-1:9092."
                                + " [invalid-address]",
                        "feed.kafka.topics: Invalid topic name 'trades/3'. Use up to 249 letters, digits and . _ - only."
                                + " [invalid-name]",
                        "feed.kafka.topics: Duplicate topic 'trades'. Remove one." + " [conflicting-properties]",
                        "feed.kafka.start: Invalid value 'yesterday'. Use earliest, latest, or an instant such as"
                                + " 2026-01-31T00:00:00Z. [invalid-value]",
                        "feed.kafka.properties: 'bootstrap.servers' is set by Millrace. Remove it from 'properties'."
                                + " [no-effect]",
                        "feed.kafka.bootstrap-servers: Invalid address 'kafka:0'. Use HOST:PORT, such as kafka-1:9092."
                                + " [invalid-address]",
                        "feed.kafka.bootstrap-servers: Invalid address ':9092'. Use HOST:PORT, such as kafka-1:9092."
                                + " [invalid-address]",
                        "feed.kafka.start: Invalid value '2026-01-31'. Use earliest, latest, or an instant such as"
                                + " 2026-01-31T00:00:00Z. [invalid-value]",
                        "feed.kafka.properties: Invalid value soon for configuration fetch.max.wait.ms: Not a number"
                                + " of type INT. [invalid-value]");
    }

    @Test
    void shouldReportAFramingThatDoesNotSplitTheRecords() {
        FeedDefinition feed = new KafkaFeedFactory()
                .define(
                        new KafkaFeedProperties(
                                "kafka:9092",
                                List.of("calls"),
                                "latest",
                                FramingKind.FIXED,
                                null,
                                "\n",
                                Map.of(),
                                OnRemoved.FAIL,
                                null,
                                true,
                                Map.of(),
                                null,
                                null),
                        check);
        Objects.requireNonNull(feed).check(Schemas.builtIn().get("radius-accounting"), check);
        assertThat(problems)
                .satisfiesExactly(
                        delimiter -> assertThat(delimiter).contains("'delimiter' has no effect without"),
                        framing -> assertThat(framing).contains("Framing 'fixed' needs records of one length"));
    }

    @Test
    void shouldNotShowThePropertiesOfTheConsumer() {
        Map<String, String> secret = Map.of("sasl.jaas.config", "password='hidden'");
        KafkaFeedProperties properties = new KafkaFeedProperties(
                "kafka:9092",
                List.of("trades"),
                "latest",
                null,
                null,
                null,
                Map.of(),
                OnRemoved.FAIL,
                null,
                true,
                secret,
                null,
                null);
        assertThat(properties.toString()).doesNotContain("hidden");
        FeedDefinition feed = define("kafka:9092", List.of("trades"), "latest", secret);
        assertThat(problems).isEmpty();
        assertThat(String.valueOf(feed)).doesNotContain("hidden");
    }
}
