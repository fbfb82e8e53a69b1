package io.millrace.pipeline.alert;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.measure.AlertEvent;
import io.millrace.measure.AlertListener;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Alerts on their way to the listeners of an application. */
class AlertDispatcherTest {

    private static AlertEvent event(int number) {
        return new AlertEvent("calls", "bad", true, Instant.EPOCH, Instant.ofEpochSecond(number), Map.of());
    }

    @Test
    void shouldDeliverEventsInOrderAndAllOfThemBeforeItIsClosed() {
        List<AlertEvent> received = new CopyOnWriteArrayList<>();
        List<AlertEvent> sent =
                IntStream.range(0, 500).mapToObj(AlertDispatcherTest::event).toList();

        try (AlertDispatcher dispatcher = new AlertDispatcher(Map.of("pager", received::add))) {
            sent.forEach(dispatcher::alert);
        }

        assertThat(received).isEqualTo(sent);
    }

    @Test
    void shouldContinueAfterAnException() {
        List<AlertEvent> received = new CopyOnWriteArrayList<>();
        AlertListener listener = event -> {
            received.add(event);
            if (received.size() == 1) {
                throw new IllegalStateException("the pager is broken");
            }
        };

        try (AlertDispatcher dispatcher = new AlertDispatcher(Map.of("pager", listener))) {
            dispatcher.alert(event(1));
            dispatcher.alert(event(2));
            AlertDelivery delivery = dispatcher.deliveries().getFirst();

            await().until(() -> delivery.delivered() == 1);
            assertThat(received).containsExactly(event(1), event(2));
            assertThat(delivery.failed()).isEqualTo(1);
            assertThat(dispatcher.backgroundTasks())
                    .singleElement()
                    .satisfies(task -> assertThat(task.status().lastFailure()).contains("the pager is broken"));
        }
    }

    @Test
    void shouldDropEventsInsteadOfWaitingForASlowListener() throws InterruptedException {
        CountDownLatch started = new CountDownLatch(1);
        CountDownLatch released = new CountDownLatch(1);
        AlertListener slow = _ -> {
            started.countDown();
            try {
                released.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        };
        List<AlertEvent> received = new CopyOnWriteArrayList<>();

        try (AlertDispatcher dispatcher = new AlertDispatcher(Map.of("slow", slow, "fast", received::add))) {
            dispatcher.alert(event(0));
            started.await();
            // The slow listener has one event, and a full queue waits for it.
            for (int i = 1; i <= AlertDelivery.QUEUE_CAPACITY + 5; i++) {
                int number = i;
                dispatcher.alert(event(number));
                await().pollInterval(1, MILLISECONDS).until(() -> received.size() == number + 1);
            }

            assertThat(delivery(dispatcher, "slow").dropped()).isEqualTo(5);
            assertThat(delivery(dispatcher, "fast").dropped()).isZero();
            released.countDown();
        }
    }

    private static AlertDelivery delivery(AlertDispatcher dispatcher, String name) {
        return dispatcher.deliveries().stream()
                .filter(delivery -> delivery.name().equals(name))
                .findFirst()
                .orElseThrow();
    }
}
