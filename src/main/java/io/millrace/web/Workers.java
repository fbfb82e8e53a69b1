package io.millrace.web;

import java.util.concurrent.Callable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** Where requests do what blocks. */
public final class Workers {

    /**
     * Reactor's own for that, but without interrupting them where a client goes away: Geode's disk store closes its
     * files on an interrupted thread.
     */
    public static final Scheduler SCHEDULER = Schedulers.fromExecutor(
            task -> {
                var _ = Schedulers.boundedElastic().schedule(task);
            },
            true);

    private Workers() {}

    /** Does it once it is subscribed to. */
    public static <T> Mono<T> run(Callable<T> work) {
        return Mono.fromCallable(() -> answering(work)).subscribeOn(SCHEDULER);
    }

    /** Reactor lets these errors end its worker and tells nobody: the client would wait for ever. */
    static <T> T answering(Callable<T> work) throws Exception {
        try {
            return work.call();
        } catch (VirtualMachineError | LinkageError e) {
            throw new IllegalStateException("the request could not be answered: " + e, e);
        }
    }
}
