package io.millrace.nemesis;

import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Repeats an action, at least once, on a thread of its own. A failure of the action is thrown when it is stopped. */
final class Repeater {

    private final String name;
    private final int maxPauseMillis;
    private final Random random;
    private final Nemesis.Action action;
    private volatile boolean running;
    private volatile @Nullable Exception failure;
    private @Nullable Thread thread;

    Repeater(String name, int maxPauseMillis, long seed, Nemesis.Action action) {
        this.name = name;
        this.maxPauseMillis = maxPauseMillis;
        this.random = new Random(seed);
        this.action = action;
    }

    void start() {
        running = true;
        failure = null;
        thread = Thread.ofPlatform().daemon().name(name).start(this::run);
    }

    private void run() {
        try {
            do {
                action.run();
                Thread.sleep(random.nextInt(maxPauseMillis) + 1L); // any moment will do
            } while (running);
        } catch (Exception e) {
            failure = e;
        }
    }

    void stop() throws Exception {
        running = false;
        Thread stopped = thread;
        if (stopped != null) {
            stopped.join();
            thread = null;
        }
        Exception failed = failure;
        if (failed != null) {
            throw new IllegalStateException("Nemesis '" + name + "' failed.", failed);
        }
    }
}
