package io.millrace.web.page;

import io.millrace.expression.BatchFilter;
import io.millrace.expression.ExpressionCompiler;
import io.millrace.expression.error.ExpressionException;
import io.millrace.expression.function.FunctionRegistry;
import io.millrace.pipeline.Pipeline;
import io.millrace.pipeline.tap.Tap;
import io.millrace.pipeline.tap.TapPoint;
import io.millrace.pipeline.tap.TapPoints;
import io.millrace.schema.NearestName;
import io.millrace.web.request.ApiErrorCode;
import io.millrace.web.request.ApiException;
import io.millrace.web.stream.EventSource;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.messaging.MessageChannel;
import org.springframework.messaging.support.InterceptableChannel;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import tools.jackson.databind.json.JsonMapper;

/** Opens taps, a limited number at a time. Thread-safe. */
final class Taps implements ApplicationListener<ContextClosedEvent> {

    static final int MAX_TAPS = 20;

    private final BeanFactory beans;
    private final JsonMapper mapper;
    private final FunctionRegistry functions;
    private final AtomicInteger open = new AtomicInteger();
    private final Sinks.Empty<Void> closing = Sinks.empty();

    /**
     * @param beans contains the channels
     * @param functions functions that conditions may call
     */
    Taps(BeanFactory beans, JsonMapper mapper, FunctionRegistry functions) {
        this.functions = functions;
        this.beans = beans;
        this.mapper = mapper;
    }

    /**
     * Returns the point with a name.
     *
     * @throws ApiException if there is none
     */
    static TapPoint point(Pipeline pipeline, String name) {
        List<TapPoint> points = TapPoints.of(pipeline.plan());
        return points.stream()
                .filter(point -> point.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new ApiException(
                        ApiErrorCode.UNKNOWN_POINT,
                        "Unknown point '" + name + "' of pipeline '" + pipeline.name() + "'"
                                + NearestName.hint(
                                        name,
                                        points.stream().map(TapPoint::name).toList())));
    }

    /**
     * Opens a tap.
     *
     * @param where condition that records must meet; null or blank for all records
     * @throws ApiException if there are too many taps, the condition is invalid, or the application's own channel does
     *     not support interceptors
     */
    EventSource open(Pipeline pipeline, TapPoint point, @Nullable String where) {
        BatchFilter condition = where == null || where.isBlank() ? null : condition(point, where);
        List<InterceptableChannel> channels = new ArrayList<>();
        for (String name : point.channels()) {
            if (!(beans.getBean(name, MessageChannel.class) instanceof InterceptableChannel channel)) {
                throw new ApiException(
                        ApiErrorCode.NO_TAP,
                        "Channel '" + name + "' does not support taps. Use an interceptable channel.");
            }
            channels.add(channel);
        }
        if (open.incrementAndGet() > MAX_TAPS) {
            open.decrementAndGet();
            throw new ApiException(
                    ApiErrorCode.TOO_MANY_TAPS, "Too many taps: " + MAX_TAPS + ". Close one, or retry later.");
        }
        Tap tap = new Tap(point, channels, condition, InstantSource.system());
        // Other rules have other points: the client has to find its point again.
        Sinks.Empty<Void> changed = Sinks.empty();
        Runnable listening = pipeline.rules().listen(changed::tryEmitEmpty);
        return new TapSource(
                tap,
                new TapDecoder(point.schema()),
                mapper,
                Mono.firstWithSignal(closing.asMono(), changed.asMono()),
                () -> {
                    listening.run();
                    open.decrementAndGet();
                });
    }

    private BatchFilter condition(TapPoint point, String where) {
        try {
            // Only the fields that earlier steps have computed may be read, but the batches have those of all steps.
            new ExpressionCompiler(point.schema(), functions).filter(where);
            return new ExpressionCompiler(point.batches(), functions)
                    .filter(where)
                    .loop();
        } catch (ExpressionException e) {
            throw new ApiException(ApiErrorCode.BAD_QUERY, String.valueOf(e.getMessage()));
        }
    }

    /** Ends the streams before the server waits for its responses to complete: streams do not end by themselves. */
    @Override
    public void onApplicationEvent(ContextClosedEvent event) {
        closing.tryEmitEmpty();
    }
}
