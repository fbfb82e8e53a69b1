package io.millrace.web.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.TestTimeout;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class EventHubTest {

    private final EventHub<String> hub = new EventHub<>("test", 2);

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static @Nullable String next(EventSource source) {
        return source.next()
                .map(event -> new String(event, StandardCharsets.UTF_8))
                .defaultIfEmpty("end")
                .block(TestTimeout.MAX);
    }

    @Test
    void shouldHandOnWhatComesAfterAListenerBeganToListen() {
        hub.publish("before");
        EventSource source = hub.listen(EventHubTest::bytes, null);
        CompletableFuture<byte[]> waiting = source.next().toFuture();
        assertThat(waiting).isNotDone();
        hub.publish("after");
        assertThat(waiting).succeedsWithin(TestTimeout.MAX).isEqualTo(bytes("after"));
    }

    @Test
    void shouldKeepTheLastEventsForOneWhoIsSlow() {
        EventSource source = hub.listen(EventHubTest::bytes, null);
        hub.publish("1");
        hub.publish("2");
        hub.publish("3");
        assertThat(next(source)).isEqualTo("2");
        hub.publish("4");
        assertThat(next(source)).isEqualTo("3");
        assertThat(next(source)).isEqualTo("4");
    }

    @Test
    void shouldGiveTheLatestEventToOneWhoWantsASample() {
        EventSource source = hub.sample(EventHubTest::bytes, Duration.ofMillis(1));
        hub.publish("1");
        hub.publish("2");
        assertThat(next(source)).isEqualTo("2");
        CompletableFuture<byte[]> waiting = source.next().toFuture();
        hub.publish("3");
        assertThat(waiting).succeedsWithin(TestTimeout.MAX).isEqualTo(bytes("3"));
        hub.close();
        assertThat(next(source)).isEqualTo("end");
    }

    @Test
    void shouldLetASampleRestForItsInterval() {
        EventSource source = hub.sample(EventHubTest::bytes, Duration.ofDays(1));
        hub.publish("1");
        assertThat(next(source)).isEqualTo("1");
        EventSource all = hub.listen(EventHubTest::bytes, null);
        CompletableFuture<byte[]> waiting = source.next().toFuture();
        hub.publish("2");
        assertThat(next(all)).isEqualTo("2");
        assertThat(waiting).isNotDone();
        waiting.cancel(true);
    }

    @Test
    void shouldBeginWithWhatIsGivenAtFirst() {
        EventSource source = hub.listen(EventHubTest::bytes, "first");
        hub.publish("second");
        assertThat(next(source)).isEqualTo("first");
        assertThat(next(source)).isEqualTo("second");
    }

    @Test
    void shouldEncodeNothingForOneWhoDoesNotAsk() {
        AtomicInteger encoded = new AtomicInteger();
        Function<String, byte[]> counting = event -> {
            encoded.incrementAndGet();
            return bytes(event);
        };
        hub.listen(counting, null);
        EventSource asks = hub.listen(counting, null);
        hub.publish("1");
        assertThat(next(asks)).isEqualTo("1");
        assertThat(encoded).hasValue(1);
    }

    @Test
    void shouldKeepNothingForAWaitThatWasGivenUp() {
        EventSource source = hub.listen(EventHubTest::bytes, null);
        source.next().subscribe().dispose();
        hub.publish("1");
        assertThat(next(source)).isEqualTo("1");
    }

    @Test
    void shouldKnowWhetherAnybodyListens() {
        assertThat(hub.heard()).isFalse();
        EventSource source = hub.listen(EventHubTest::bytes, null);
        assertThat(hub.heard()).isTrue();
        source.end();
        assertThat(hub.heard()).isFalse();
    }

    @Test
    void shouldEndAfterTheLastEvent() {
        EventSource source = hub.listen(EventHubTest::bytes, null);
        hub.publish("last");
        hub.close();
        assertThat(next(source)).isEqualTo("last");
        assertThat(next(source)).isEqualTo("end");
    }
}
