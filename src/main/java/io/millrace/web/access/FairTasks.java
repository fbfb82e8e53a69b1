package io.millrace.web.access;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;

/**
 * Runs tasks of senders, a few at a time, and those of all senders in turn: a sender with many tasks does not hold up
 * the others. A limited number waits. If there are more, the sender with the most waiting tasks loses its newest one,
 * which fails with {@link BusySignInException}. A task that nobody waits for any more is not run. Thread-safe.
 */
final class FairTasks {

    private final int atATime;
    private final int maxWaiting;
    private final Executor executor;
    /** Waiting tasks by sender; the sender whose turn it is comes first. None is empty. */
    private final Map<String, Deque<Task<?>>> senders = new LinkedHashMap<>();

    private int running;
    private int waiting;

    /** @param executor of threads, at least as many as run at a time */
    FairTasks(int atATime, int maxWaiting, Executor executor) {
        this.atATime = atATime;
        this.maxWaiting = maxWaiting;
        this.executor = executor;
    }

    private record Task<T>(String sender, Callable<T> callable, MonoSink<T> result) {

        void run() {
            try {
                result.success(callable.call());
            } catch (Exception e) {
                result.error(e);
            }
        }
    }

    /** Runs a task of a sender once it is its turn. */
    <T> Mono<T> run(String sender, Callable<T> callable) {
        return Mono.create(result -> {
            Task<T> task = new Task<>(sender, callable, result);
            result.onCancel(() -> remove(task));
            submit(task);
        });
    }

    private void submit(Task<?> task) {
        Task<?> refused = null;
        synchronized (this) {
            if (running < atATime) {
                running++;
                executor.execute(() -> runAll(task));
                return;
            }
            senders.computeIfAbsent(task.sender(), _ -> new ArrayDeque<>()).addLast(task);
            if (++waiting > maxWaiting) {
                Deque<Task<?>> most = senders.values().stream()
                        .max(Comparator.comparingInt(Deque::size))
                        .orElseThrow();
                refused = most.getLast();
                remove(refused);
            }
        }
        if (refused != null) {
            refused.result().error(new BusySignInException());
        }
    }

    private synchronized void remove(Task<?> task) {
        Deque<Task<?>> tasks = senders.get(task.sender());
        if (tasks != null && tasks.remove(task)) {
            waiting--;
            if (tasks.isEmpty()) {
                senders.remove(task.sender());
            }
        }
    }

    private void runAll(Task<?> first) {
        for (Task<?> task = first; task != null; task = next()) {
            task.run();
        }
    }

    /** Returns the next task; null ends a thread's run. */
    private synchronized @Nullable Task<?> next() {
        Map.Entry<String, Deque<Task<?>>> sender =
                senders.entrySet().stream().findFirst().orElse(null);
        if (sender == null) {
            running--;
            return null;
        }
        Deque<Task<?>> tasks = sender.getValue();
        senders.remove(sender.getKey());
        Task<?> task = tasks.removeFirst();
        waiting--;
        if (!tasks.isEmpty()) {
            senders.put(task.sender(), tasks);
        }
        return task;
    }
}
