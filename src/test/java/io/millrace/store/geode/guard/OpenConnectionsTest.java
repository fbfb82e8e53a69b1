package io.millrace.store.geode.guard;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class OpenConnectionsTest {

    private final AtomicInteger accepted = new AtomicInteger();

    private CompletableFuture<OpenConnections.Open> accept(OpenConnections connections) {
        return CompletableFuture.supplyAsync(() -> {
            OpenConnections.Open open = connections.await();
            accepted.incrementAndGet();
            return open;
        });
    }

    @Test
    void shouldAcceptAConnectionWhenAnotherOneIsClosed() {
        OpenConnections connections = new OpenConnections(2, Duration.ofDays(1));
        OpenConnections.Open first = accept(connections).join();
        OpenConnections.Open second = accept(connections).join();
        CompletableFuture<OpenConnections.Open> third = accept(connections);
        assertThat(accepted).hasValue(2);

        first.close();
        first.close(); // has no effect
        third.join();
        CompletableFuture<OpenConnections.Open> fourth = accept(connections);
        assertThat(accepted).hasValue(3);
        second.close();
        fourth.join();
    }

    /** Else connections that nobody closes would keep out all others. */
    @Test
    void shouldAcceptAConnectionAfterAWhile() {
        OpenConnections connections = new OpenConnections(1, Duration.ofMillis(1));
        OpenConnections.Open counted = connections.await();
        OpenConnections.Open uncounted = connections.await();

        uncounted.close();
        assertThat(connections.available()).isZero();
        counted.close();
        assertThat(connections.available()).isEqualTo(1);
    }
}
