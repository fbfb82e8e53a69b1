package io.millrace.pipeline;

import io.millrace.feed.Player;
import java.util.List;

/**
 * The control of the rate of a feed with several splits, each of which has its share of the rate. Thread-safe.
 *
 * @param all those of the splits, at least one
 */
record Players(List<Player> all) implements Player {

    Players {
        all = List.copyOf(all);
    }

    @Override
    public Play play() {
        return all.getFirst().play();
    }

    @Override
    public void play(Play play) {
        all.forEach(player -> player.play(play));
    }
}
