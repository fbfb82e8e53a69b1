package io.millrace.nemesis;

/**
 * A fault with a switch. It may be started and stopped any number of times, but not by several threads at once. Where
 * two of them concern different things, both may act at the same time.
 */
public interface Nemesis {

    /** Starts the fault. */
    void start() throws Exception;

    /** Stops the fault, and repairs what it has changed. Does nothing if it has not started. */
    void stop() throws Exception;

    /** One of the two actions of a nemesis. */
    @FunctionalInterface
    interface Action {
        void run() throws Exception;
    }

    /** Returns a nemesis of two actions, which are called in turns. */
    static Nemesis of(String name, Action start, Action stop) {
        return new Nemesis() {
            private boolean started;

            @Override
            public void start() throws Exception {
                started = true;
                start.run();
            }

            @Override
            public void stop() throws Exception {
                if (started) {
                    started = false;
                    stop.run();
                }
            }

            @Override
            public String toString() {
                return name;
            }
        };
    }

    /** Returns a nemesis that repeats an action, after a pause of at most so many milliseconds, until it is stopped. */
    static Nemesis repeated(String name, int maxPauseMillis, long seed, Action action) {
        Repeater repeater = new Repeater(name, maxPauseMillis, seed, action);
        return of(name, repeater::start, repeater::stop);
    }

    /** Runs the fault for some time. */
    default void strike(long millis) throws Exception {
        start();
        try {
            Thread.sleep(millis); // faults last for a time; what is asserted holds however long
        } finally {
            stop();
        }
    }
}
