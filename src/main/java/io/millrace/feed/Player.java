package io.millrace.feed;

import org.apiguardian.api.API;

/** Controls the rate of a running feed. Thread-safe. */
@API(status = API.Status.STABLE)
public interface Player {

    /**
     * The rate of a feed.
     *
     * @param rate records per second, 0 for as many as are polled
     * @param paused whether no records arrive, whatever the rate
     */
    record Play(long rate, boolean paused) {

        public Play {
            if (rate < 0) {
                throw new IllegalArgumentException("Invalid rate '" + rate + "'. Use 0 or more.");
            }
        }
    }

    /** Returns the current rate. */
    Play play();

    /** Sets the rate from the next poll on. The feed does not catch up on records that an earlier rate left due. */
    void play(Play play);
}
