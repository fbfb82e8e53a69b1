package io.millrace.web;

import io.millrace.background.OutOfMemory;
import java.util.concurrent.Callable;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * Where requests other than queries to regions do what blocks. Apart from Reactor's own threads, on which health checks
 * run.
 */
public final class Workers {

    private static final int THREADS = 16;
    private static final int WAITING = 1_000;
    private static final ThreadPoolExecutor EXECUTOR = new ThreadPoolExecutor(
            THREADS,
            THREADS,
            1,
            TimeUnit.MINUTES,
            new LinkedBlockingQueue<>(WAITING),
            Thread.ofPlatform().name("request-", 0).daemon().factory());

    static {
        EXECUTOR.allowCoreThreadTimeOut(true);
    }

    /**
     * By {@code execute}, so that a thread is not interrupted where a client goes away: Geode's disk store closes its
     * files on an interrupted thread.
     */
    public static final Scheduler SCHEDULER = Schedulers.fromExecutor(EXECUTOR, true);

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
            OutOfMemory.report(e);
            throw new IllegalStateException("the request could not be answered: " + e, e);
        }
    }
}
