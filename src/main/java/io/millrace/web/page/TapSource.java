package io.millrace.web.page;

import io.millrace.pipeline.tap.Tap;
import io.millrace.web.stream.EventBytes;
import io.millrace.web.stream.EventSource;
import java.time.Duration;
import reactor.core.publisher.Mono;
import tools.jackson.databind.json.JsonMapper;

/** The events of one tap, with at least a tenth of a second between them, or more for a slow client. */
final class TapSource implements EventSource {

    private static final Duration PERIOD = Duration.ofMillis(100);

    private final Tap tap;
    private final TapDecoder decoder;
    private final JsonMapper mapper;
    private final Mono<Void> closing;
    private final Runnable ended;

    /**
     * @param closing completes when the service closes or the rules change
     * @param ended runs once the tap is closed
     */
    TapSource(Tap tap, TapDecoder decoder, JsonMapper mapper, Mono<Void> closing, Runnable ended) {
        this.tap = tap;
        this.decoder = decoder;
        this.mapper = mapper;
        this.closing = closing;
        this.ended = ended;
    }

    @Override
    public Mono<byte[]> next() {
        return Mono.delay(PERIOD)
                .mapNotNull(_ -> tap.take())
                .map(tapped -> EventBytes.data(mapper.writeValueAsBytes(decoder.decode(tapped))))
                .repeatWhenEmpty(waits -> waits)
                .takeUntilOther(closing);
    }

    @Override
    public void end() {
        tap.close();
        ended.run();
    }
}
