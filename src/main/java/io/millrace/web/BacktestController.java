package io.millrace.web;

import io.millrace.pipeline.Pipelines;
import io.millrace.pipeline.rules.FollowedRules;
import io.millrace.pipeline.rules.RuleChanges;
import io.millrace.pipeline.rules.RulesException;
import io.millrace.pipeline.shadow.Backtest;
import io.millrace.pipeline.shadow.ShadowException;
import io.millrace.pipeline.shadow.Shadows;
import io.millrace.store.Store;
import io.millrace.store.query.IncompleteAnswerException;
import io.millrace.store.query.Query;
import io.millrace.web.answer.IncompleteAnswers;
import io.millrace.web.answer.KnownRegions;
import io.millrace.web.request.ApiErrorCode;
import io.millrace.web.request.ApiException;
import io.millrace.web.request.ApiPath;
import io.millrace.web.request.RequestDuration;
import io.millrace.web.request.RequestValue;
import io.millrace.web.request.Workers;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

/** Compares rules with the live ones on the records of a region, one request at a time. */
@RestController
@RequestMapping(ApiPath.BASE + "/pipelines/{name}/rules/backtest")
class BacktestController {

    private static final Logger LOG = LoggerFactory.getLogger(BacktestController.class);
    private static final long END_WAIT_MILLIS = 1_000;

    private final Pipelines pipelines;
    private final RuleChanges changes;
    private final Shadows shadows;
    private final Store store;
    private final Semaphore running = new Semaphore(1);
    /** That of the backtest that has begun last, running or not. */
    private volatile Cancellation last = new Cancellation();

    BacktestController(Pipelines pipelines, RuleChanges changes, Shadows shadows, Store store) {
        this.pipelines = pipelines;
        this.changes = changes;
        this.shadows = shadows;
        this.store = store;
    }

    /** A backtest of rules. */
    @PostMapping
    Mono<BacktestView> run(
            @PathVariable String name,
            @RequestBody String text,
            @RequestParam String region,
            @RequestParam(required = false) @Nullable String where,
            @RequestParam(defaultValue = "") List<String> by,
            @RequestParam(required = false) @Nullable String limit,
            @RequestParam(defaultValue = "60s") String timeout) {
        long records = limit == null || limit.isBlank()
                ? Query.UNLIMITED
                : RequestValue.number("limit", limit, ApiErrorCode.BAD_QUERY);
        Cancellation cancellation = new Cancellation();
        return Workers.run(() -> {
                    FollowedRules rules = RulesController.named(pipelines, changes, name);
                    String known = new KnownRegions(store).known(region);
                    // One that was cancelled ends soon. To wait for another one would occupy a thread of all requests.
                    if (!running.tryAcquire(last.cancelled() ? END_WAIT_MILLIS : 0, TimeUnit.MILLISECONDS)) {
                        throw new ApiException(
                                ApiErrorCode.BUSY,
                                "Another backtest is running in this process. Repeat the request later.");
                    }
                    last = cancellation;
                    try {
                        Duration longest = RequestDuration.parse("timeout", timeout);
                        Backtest backtest = shadows.backtest(rules, text, by);
                        cancellation.begin(backtest);
                        return Optional.of(new BacktestView(
                                name,
                                known,
                                rules.pipeline().rules().version(),
                                backtest.run(store, known, where, records, longest)));
                    } catch (CancellationException _) {
                        LOG.info("Backtest cancelled: pipeline={} region={}", name, known);
                        return Optional.<BacktestView>empty();
                    } catch (RulesException e) {
                        throw RulesController.refused(e);
                    } catch (ShadowException e) {
                        throw new ApiException(ApiErrorCode.SHADOW_NOT_POSSIBLE, String.valueOf(e.getMessage()));
                    } catch (IncompleteAnswerException e) {
                        throw IncompleteAnswers.problem(e);
                    } catch (IllegalArgumentException e) {
                        throw new ApiException(ApiErrorCode.BAD_QUERY, String.valueOf(e.getMessage()));
                    } finally {
                        cancellation.end();
                        running.release();
                    }
                })
                .flatMap(Mono::justOrEmpty)
                .doOnCancel(cancellation::cancel);
    }

    /** Cancels the backtest of a request whose client is gone, whether or not it has begun. */
    private static final class Cancellation {

        private @Nullable Backtest backtest;
        private boolean cancelled;

        synchronized void begin(Backtest begun) {
            backtest = begun;
            if (cancelled) {
                begun.cancel();
            }
        }

        synchronized void cancel() {
            cancelled = true;
            if (backtest != null) {
                backtest.cancel();
            }
        }

        synchronized boolean cancelled() {
            return cancelled;
        }

        /** Forgets the backtest, which holds much memory. */
        synchronized void end() {
            backtest = null;
        }
    }
}
