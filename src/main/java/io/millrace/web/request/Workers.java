package io.millrace.web.request;

import io.millrace.background.OutOfMemory;
import java.util.concurrent.Callable;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * Threads for blocking work of requests other than queries on regions. They are separate from Reactor's threads, on
 * which health checks run.
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
     * Uses {@code execute}, so that a thread is not interrupted when a client disconnects: Geode's disk store closes
     * its files on an interrupted thread.
     */
    public static final Scheduler SCHEDULER = Schedulers.fromExecutor(EXECUTOR, true);

    private Workers() {}

    /** Runs blocking work when it is subscribed to. */
    public static <T> Mono<T> run(Callable<T> work) {
        return Mono.fromCallable(() -> answering(work)).subscribeOn(SCHEDULER);
    }

    /**
     * Runs work and converts fatal errors to exceptions. Reactor does not report these errors to the client, which
     * would wait forever.
     */
    public static <T> T answering(Callable<T> work) throws Exception {
        try {
            return work.call();
        } catch (VirtualMachineError | LinkageError e) {
            OutOfMemory.report(e);
            throw new IllegalStateException("The request could not be answered: " + e, e);
        }
    }
}
