package io.millrace.store.geode.shared;

import io.millrace.background.BackgroundTask;
import io.millrace.store.geode.cache.ProcessName;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Shows the other processes of a cluster that this one is alive, and detects which of them are not. Each process
 * increments a counter in a shared map. A process whose counter has not changed for the configured time, by the clock
 * of the observing process, has lost its lease. No clocks are compared. A lease that expires too early, for example
 * because its process was paused, does no harm: {@link io.millrace.store.geode.cache.TermCheck} refuses what its
 * process writes later. An expired lease stays in the map for a while, so that each of the process's writers can be
 * taken over immediately.
 *
 * <p>Behind the counter are the pipelines that a process takes part in running, such as {@code 4711 trades calls}.
 * Thread-safe.
 */
public final class Leases implements AutoCloseable {

    /** Name of the region of leases. */
    public static final String REGION = "millrace-leases";

    private static final Logger LOG = LoggerFactory.getLogger(Leases.class);

    /** Renewals during the time after which a lease expires. */
    private static final int RENEWALS_PER_EXPIRY = 5;
    /** Times its expiry after which a lease is removed. */
    private static final int EXPIRIES_PER_REMOVAL = 20;

    private final SharedMap<String> map;
    private final ProcessName self;
    private final Duration expiry;
    private final LongSupplier nanoTime;
    private final Predicate<ProcessName> ended;
    private final Map<ProcessName, Seen> seen = new ConcurrentHashMap<>();
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("lease").daemon().factory());
    private final BackgroundTask task = new BackgroundTask("lease");
    private final AtomicBoolean started = new AtomicBoolean();
    private final Set<String> pipelines = new ConcurrentSkipListSet<>();
    private final AtomicLong renewals = new AtomicLong();

    /** The last value of a counter, and the time since which it is unchanged. */
    private record Seen(@Nullable String counter, long sinceNanos) {}

    /**
     * @param map in memory: leases have no meaning after a restart of all servers
     * @param expiry time without a sign of life after which a process has lost its lease
     * @param nanoTime a clock, as {@link System#nanoTime}
     */
    public Leases(SharedMap<String> map, ProcessName self, Duration expiry, LongSupplier nanoTime) {
        this(map, self, expiry, nanoTime, ProcessName::hasEnded);
    }

    /** @param ended returns whether a process is known to have ended, whatever its lease */
    public Leases(
            SharedMap<String> map,
            ProcessName self,
            Duration expiry,
            LongSupplier nanoTime,
            Predicate<ProcessName> ended) {
        this.map = map;
        this.self = self;
        this.expiry = expiry;
        this.nanoTime = nanoTime;
        this.ended = ended;
    }

    /** Starts to renew this process' lease, unless already started. */
    public void start() {
        if (started.compareAndSet(false, true)) {
            long period = Math.max(1, expiry.toMillis() / RENEWALS_PER_EXPIRY);
            var _ = thread.scheduleWithFixedDelay(() -> task.run(this::renew), 0, period, TimeUnit.MILLISECONDS);
        }
    }

    /** Returns the renewal task, which continues while servers don't answer. */
    public BackgroundTask task() {
        return task;
    }

    /**
     * Renews this process' lease. If two threads do so at a time, the earlier value can replace the later one, until
     * the next renewal.
     */
    public void renew() {
        Stream<String> words = Stream.concat(Stream.of(Long.toString(renewals.incrementAndGet())), pipelines.stream());
        map.putOwn(self.text(), words.collect(Collectors.joining(" ")));
    }

    /** Shows other processes whether this one takes part in running a pipeline. */
    void participate(String pipeline, boolean participates) {
        if (participates ? pipelines.add(pipeline) : pipelines.remove(pipeline)) {
            renew();
        }
    }

    /** Returns the processes that take part in running a pipeline and have not lost their lease. */
    Set<String> participants(String pipeline) {
        Set<String> participants = new HashSet<>();
        map.getAll(_ -> true).forEach((process, lease) -> {
            ProcessName name = ProcessName.parse(process);
            if (!process.equals(self.text()) && (ended.test(name) || isUnchanged(name, lease))) {
                removeOld(process, lease);
            } else if (List.of(lease.split(" ")).indexOf(pipeline) > 0) {
                participants.add(process);
            }
        });
        return participants;
    }

    /** Removes a lease that expired long ago: each process that has ever run would cost a read each time. */
    private void removeOld(String process, String lease) {
        ProcessName name = ProcessName.parse(process);
        Seen last = seen.putIfAbsent(name, new Seen(lease, nanoTime.getAsLong()));
        if (last != null
                && nanoTime.getAsLong() - last.sinceNanos() >= EXPIRIES_PER_REMOVAL * expiry.toNanos()
                && map.remove(process, lease)) {
            seen.remove(name);
        }
    }

    /** Returns whether a process has lost its lease. Must be called several times, a fraction of the expiry apart. */
    boolean expired(ProcessName process) {
        return ended.test(process) || isUnchanged(process, map.get(process.text()));
    }

    /** Returns whether a counter has not changed for the time after which a lease expires. */
    private boolean isUnchanged(ProcessName process, @Nullable String counter) {
        long now = nanoTime.getAsLong();
        Seen last = seen.get(process);
        if (last == null || !Objects.equals(last.counter(), counter)) {
            seen.put(process, new Seen(counter, now));
            return false;
        }
        return now - last.sinceNanos() >= expiry.toNanos();
    }

    /** Stops the renewals, and removes the lease if the servers answer. */
    @Override
    public void close() {
        thread.shutdown();
        try {
            // A renewal in progress would fail, and be logged, once the connection is closed.
            var _ = thread.awaitTermination(1, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (!started.get()) {
            return;
        }
        try {
            map.removeOwn(self.text());
        } catch (RuntimeException e) {
            LOG.debug("the lease could not be given up: {}", e.getMessage());
        }
    }
}
