package io.millrace.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.background.BackgroundTask;
import io.millrace.pipeline.Pipelines;
import io.millrace.store.Store;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Errors end neither the sampler nor the watch of the store. */
class BackgroundLoopsTest {

    @Test
    void shouldSampleOnAfterAListenerThrewAnError() {
        AtomicInteger failed = new AtomicInteger();
        AtomicInteger sampled = new AtomicInteger();
        SampleListener failing = _ -> {
            failed.incrementAndGet();
            throw new NoClassDefFoundError("org/example/Missing");
        };
        Sampler sampler = new Sampler(new Pipelines(List.of()), List.of(failing, _ -> sampled.incrementAndGet()));
        sampler.start();
        try {
            await().until(() -> failed.get() >= 2 && sampled.get() >= 2);
            assertThat(sampler.backgroundTasks())
                    .map(BackgroundTask::status)
                    .filteredOn(BackgroundTask.Status::failing)
                    .singleElement()
                    .satisfies(status -> assertThat(status.lastFailure()).contains("org/example/Missing"));
        } finally {
            sampler.stop();
        }
    }

    @Test
    void shouldWatchTheStoreOnAfterAnError() {
        AtomicInteger calls = new AtomicInteger();
        Store store = (Store)
                Proxy.newProxyInstance(Store.class.getClassLoader(), new Class<?>[] {Store.class}, (_, _, _) -> {
                    calls.incrementAndGet();
                    throw new NoClassDefFoundError("org/example/Missing");
                });
        StoreWatch watch = new StoreWatch(store, List.of());
        watch.start();
        try {
            await().until(() -> calls.get() >= 2);
            assertThat(watch.up()).isFalse();
            assertThat(watch.backgroundTasks().getFirst().status().failing()).isTrue();
        } finally {
            watch.stop();
        }
    }
}
