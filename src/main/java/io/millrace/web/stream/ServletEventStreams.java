package io.millrace.web.stream;

import io.millrace.web.request.ApiException;
import java.io.IOException;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;
import org.springframework.http.CacheControl;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.servlet.mvc.method.annotation.ResponseBodyEmitter;
import reactor.core.publisher.Mono;

/**
 * The streams of server-sent events of a servlet application. A virtual thread for each takes the next event when the
 * container has written the previous one, so a slow client misses events. The container's own timeout disconnects a
 * client that reads nothing. Thread-safe.
 */
public final class ServletEventStreams {

    private static final long NO_TIMEOUT = 0;

    private final StreamLimits limits;
    private final Semaphore free;

    ServletEventStreams(StreamLimits limits) {
        this.limits = limits;
        this.free = new Semaphore(limits.maxStreams());
    }

    /**
     * Sends events until there are no more or the client is gone; then {@linkplain EventSource#end() ends} the source.
     *
     * @param subscription starts to listen
     * @throws ApiException if there are too many streams
     */
    public ResponseEntity<ResponseBodyEmitter> send(Supplier<EventSource> subscription) {
        if (!free.tryAcquire()) {
            throw limits.tooManyStreams();
        }
        ResponseBodyEmitter response = new ResponseBodyEmitter(NO_TIMEOUT);
        try {
            EventSource source = subscription.get();
            Thread.ofVirtual().name("event-stream").start(() -> write(source, response));
        } catch (Throwable e) {
            free.release();
            throw e;
        }
        return ResponseEntity.ok()
                .contentType(MediaType.TEXT_EVENT_STREAM)
                .cacheControl(CacheControl.noStore())
                .body(response);
    }

    private void write(EventSource source, ResponseBodyEmitter response) {
        try {
            byte[] event = EventBytes.LISTENING;
            while (event != null) {
                response.send(event);
                event = source.next()
                        .timeout(EventBytes.SIGN_OF_LIFE, Mono.just(EventBytes.LISTENING))
                        .block();
            }
            response.complete();
        } catch (IOException | IllegalStateException _) {
            // The client is gone. The container completes the response.
        } catch (Throwable e) { // includes Error: otherwise the client would wait forever
            response.completeWithError(e);
        } finally {
            source.end();
            free.release();
        }
    }
}
