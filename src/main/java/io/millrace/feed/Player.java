package io.millrace.feed;

/** Says how fast a feed brings its records while it runs. Thread-safe. */
public interface Player {

    /**
     * How fast.
     *
     * @param rate records a second, 0 for as many as are taken
     * @param paused whether none come, whatever the rate
     */
    record Play(long rate, boolean paused) {

        public Play {
            if (rate < 0) {
                throw new IllegalArgumentException("rate=" + rate + " is less than 0");
            }
        }
    }

    /** As it is now. */
    Play play();

    /** Sets it, from the next poll on: what an earlier rate was behind with is not caught up with. */
    void play(Play play);
}
