package io.millrace.measure.window;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/** A thread that reads a measure all the time, as clients do. */
final class Readers implements AutoCloseable {

    private final AtomicBoolean done = new AtomicBoolean();
    private final CompletableFuture<Void> reading;

    private Readers(Measure measure, int limit, Consumer<OpenWindow> check) {
        reading = CompletableFuture.runAsync(
                () -> {
                    while (!done.get()) {
                        OpenWindow open = measure.current(limit);
                        if (open != null) {
                            check.accept(open);
                        }
                        measure.rows()
                                .windows()
                                .forEach(window -> measure.plan().decode(window, 0));
                        measure.rows().alerts().raised();
                    }
                },
                task -> Thread.ofVirtual().start(task));
    }

    static Readers of(Measure measure, int limit) {
        return new Readers(measure, limit, open -> measure.plan().decode(open.window(), 0));
    }

    static Readers of(Measure measure, int limit, Consumer<OpenWindow> check) {
        return new Readers(measure, limit, check);
    }

    /** Fails if a read has failed. */
    @Override
    public void close() {
        done.set(true);
        reading.join();
    }
}
