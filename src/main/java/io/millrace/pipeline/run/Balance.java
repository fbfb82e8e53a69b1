package io.millrace.pipeline.run;

import io.millrace.pipeline.step.Pauses;
import io.millrace.store.error.StoreException;
import io.millrace.store.write.Participation;
import io.millrace.store.write.PartitionOwners;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides which partitions of a pipeline this process runs, so that all processes which run it have the same number of
 * them, or one more. Each process decides alone, from what all can read: who takes part, and who owns what. A process
 * with too many transfers partitions to another one that has too few: it releases them, and the other one claims them.
 * A process claims others only if it has too few, or if nobody else claims them. Processes that know different states
 * for a moment decide differently, which costs time and no records: a partition has one owner, whatever they decide.
 *
 * <p>A pipeline with one partition is not balanced. Any thread may ask; one of them reads the state now and then, and
 * the others do not wait for it.
 */
public final class Balance {

    private static final Logger LOG = LoggerFactory.getLogger(Balance.class);
    private static final long REFRESH_NANOS = Duration.ofMillis(250).toNanos();
    /** While partitions become free, such as those of a process that ends. */
    private static final long REFRESH_MOVING_NANOS = Duration.ofMillis(50).toNanos();
    /** How long a partition that is free counts as one that another process will claim. */
    private static final long MOVING_NANOS = Duration.ofSeconds(5).toNanos();

    private static final long LEFT_TO_OTHERS_NANOS = Duration.ofSeconds(2).toNanos();
    /** What nobody else claims is not transferred for so long. */
    private static final long KEPT_NANOS = Duration.ofMinutes(1).toNanos();

    private final String pipeline;
    private final int partitions;
    private final boolean persistent;
    private final Participation participation;
    private final Pauses pauses;
    /** 1 for each partition that this process owns. */
    private final AtomicIntegerArray held;

    /** The time until which a partition is not transferred; 0 for none. */
    private final AtomicLongArray keptUntil;

    private final ReentrantLock refreshing = new ReentrantLock();
    private volatile @Nullable State state;
    private volatile boolean left;

    /**
     * What was read last.
     *
     * @param owners null if it is unknown, or if there are no other processes
     * @param share number of partitions that this process is to have
     * @param othersNeed whether another process has fewer than it is to have
     * @param freeSince time since which no member owns a partition; null for those with an owner
     */
    private record State(
            long nanos,
            @Nullable PartitionOwners owners,
            int share,
            boolean othersNeed,
            @Nullable Long[] freeSince) {

        /** Returns whether a partition became free a short time ago. */
        boolean isMoving() {
            for (Long free : freeSince) {
                if (free != null && nanos - free < MOVING_NANOS) {
                    return true;
                }
            }
            return false;
        }
    }

    /**
     * @param partitions number of partitions
     * @param persistent whether one of the pipeline's regions is persistent
     * @param pauses has the clock
     */
    public Balance(String pipeline, int partitions, boolean persistent, Participation participation, Pauses pauses) {
        this.pipeline = pipeline;
        this.partitions = partitions;
        this.persistent = persistent;
        this.participation = participation;
        this.pauses = pauses;
        this.held = new AtomicIntegerArray(partitions);
        this.keptUntil = new AtomicLongArray(partitions);
    }

    /** Returns whether this process may claim a partition that it does not own. */
    boolean mayClaim(int partition) {
        State now = current();
        if (now == null || now.owners == null || held() < now.share) {
            return true;
        }
        Long free = now.freeSince[partition];
        return free != null && pauses.nanoTime() - free >= LEFT_TO_OTHERS_NANOS;
    }

    /** Returns whether this process is to release a partition that it owns, for another one. */
    boolean transfers(int partition) {
        State now = current();
        if (now == null || !now.othersNeed || isKept(partition)) {
            return false;
        }
        int surplus = held() - now.share;
        for (int i = partitions - 1; i > partition; i--) {
            surplus -= isKept(i) ? 0 : held.get(i);
        }
        return surplus > 0;
    }

    private boolean isKept(int partition) {
        long until = keptUntil.get(partition);
        return until != 0 && until - pauses.nanoTime() > 0;
    }

    /** Returns the process that owns a partition as far as it is known, for display. */
    String owner(int partition) {
        State now = state;
        return Optional.ofNullable(now == null ? null : now.owners)
                .flatMap(owners -> owners.owners().get(partition))
                .map(PartitionOwners.Owner::name)
                .orElse("another process");
    }

    /** Marks a partition as owned by this process. If it has enough without it, nobody else has claimed it. */
    void claimed(int partition) {
        State now = state;
        boolean surplus = now != null && held() >= now.share;
        keptUntil.set(partition, surplus ? pauses.nanoTime() + KEPT_NANOS : 0);
        held.set(partition, 1);
    }

    /** Marks a partition as no longer owned by this process. */
    void released(int partition) {
        held.set(partition, 0);
    }

    private int held() {
        int count = 0;
        for (int i = 0; i < partitions; i++) {
            count += held.get(i);
        }
        return count;
    }

    /** Lets other processes claim what this one owns as soon as it is released. */
    public void leave() {
        if (partitions == 1) {
            return;
        }
        left = true;
        refreshing.lock(); // A thread that is reading the state takes part again.
        try {
            participation.participate(pipeline, false);
        } catch (StoreException e) {
            LOG.debug("others find out that pipeline {} has ended here: {}", pipeline, e.getMessage());
        } finally {
            refreshing.unlock();
        }
    }

    /** Returns what was read last, and reads it again if that was a while ago and no other thread does. */
    private @Nullable State current() {
        State now = state;
        if (partitions > 1 && isDue(now) && refreshing.tryLock()) {
            try {
                if (!left) {
                    now = read(now);
                    state = now;
                }
            } finally {
                refreshing.unlock();
            }
        }
        return now;
    }

    private boolean isDue(@Nullable State last) {
        return last == null
                || pauses.nanoTime() - last.nanos >= (last.isMoving() ? REFRESH_MOVING_NANOS : REFRESH_NANOS);
    }

    /** Returns whether partitions are becoming free, so that to claim one soon may succeed. */
    boolean isMoving() {
        State now = state;
        return now != null && now.isMoving();
    }

    private State read(@Nullable State before) {
        long now = pauses.nanoTime();
        PartitionOwners owners = owners();
        @Nullable Long[] freeSince = new @Nullable Long[partitions];
        if (owners == null) {
            return new State(now, null, partitions, false, freeSince);
        }
        for (int i = 0; i < partitions; i++) {
            Long known = before == null ? null : before.freeSince[i];
            freeSince[i] = !owners.isFree(i) ? null : known == null ? Long.valueOf(now) : known;
        }
        Map<String, Integer> counts = owners.counts();
        counts.put(owners.self(), held());
        boolean othersNeed = counts.entrySet().stream()
                .anyMatch(other ->
                        !other.getKey().equals(owners.self()) && other.getValue() < share(counts, other.getKey()));
        return new State(now, owners, share(counts, owners.self()), othersNeed, freeSince);
    }

    private @Nullable PartitionOwners owners() {
        try {
            participation.participate(pipeline, true);
            return participation.owners(pipeline, partitions, persistent).orElse(null);
        } catch (StoreException e) {
            LOG.debug("the owners of pipeline {} are unknown: {}", pipeline, e.getMessage());
            return null;
        }
    }

    /**
     * Returns how many partitions a process is to have. If they can't all have the same number, those that have the
     * most keep one more, so that as few as possible move.
     *
     * @param counts number of partitions that each process has
     */
    private int share(Map<String, Integer> counts, String process) {
        List<String> most = counts.entrySet().stream()
                .sorted(Map.Entry.<String, Integer>comparingByValue()
                        .reversed()
                        .thenComparing(Map.Entry.comparingByKey()))
                .map(Map.Entry::getKey)
                .toList();
        int all = most.size();
        return partitions / all + (most.indexOf(process) < partitions % all ? 1 : 0);
    }
}
