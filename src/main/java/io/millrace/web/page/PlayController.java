package io.millrace.web.page;

import io.millrace.feed.Player;
import io.millrace.feed.Player.Play;
import io.millrace.pipeline.Pipelines;
import io.millrace.web.KnownPipelines;
import io.millrace.web.request.ApiErrorCode;
import io.millrace.web.request.ApiException;
import io.millrace.web.request.ApiPath;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Returns and sets the rate of feeds that support it. */
@RestController
@RequestMapping(ApiPath.BASE + "/pipelines/{name}/replay")
class PlayController {

    private final Pipelines pipelines;
    private final PageOptions options;

    PlayController(Pipelines pipelines, PageOptions options) {
        this.pipelines = pipelines;
        this.options = options;
    }

    /**
     * The rate of a feed.
     *
     * @param rate records a second, 0 for unlimited
     * @param settable whether the feed supports a rate, and the page may change it
     */
    record PlayView(long rate, boolean paused, boolean settable) {}

    /** A change of the rate; null leaves a value unchanged. */
    record PlayChange(@Nullable Long rate, @Nullable Boolean paused) {}

    @GetMapping
    PlayView play(@PathVariable String name) {
        Player player = KnownPipelines.named(pipelines, name).feeds().player();
        return player == null ? new PlayView(0, false, false) : view(player.play());
    }

    @PutMapping
    PlayView play(@PathVariable String name, @RequestBody PlayChange change) {
        if (!options.play()) {
            throw new ApiException(ApiErrorCode.REPLAY_OFF, "Replay is off. Set 'millrace.page.replay: true'.");
        }
        Player player = KnownPipelines.named(pipelines, name).feeds().player();
        if (player == null) {
            throw new ApiException(
                    ApiErrorCode.NOT_SETTABLE,
                    "The rate of the feed of pipeline '" + name + "' can't be changed. Use a generator.");
        }
        Play now = player.play();
        Play play = new Play(
                checked(change.rate() == null ? now.rate() : change.rate()),
                change.paused() == null ? now.paused() : change.paused());
        player.play(play);
        return view(play);
    }

    private static long checked(long rate) {
        if (rate < 0) {
            throw new ApiException(ApiErrorCode.BAD_RATE, "Invalid rate '" + rate + "'. Use 0 for no limit, or more.");
        }
        return rate;
    }

    private PlayView view(Play play) {
        return new PlayView(play.rate(), play.paused(), options.play());
    }
}
