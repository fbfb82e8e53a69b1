package io.millrace.web.answer;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.springframework.core.ResolvableType;
import org.springframework.http.MediaType;
import org.springframework.http.ReactiveHttpOutputMessage;
import org.springframework.http.codec.HttpMessageWriter;
import reactor.core.publisher.Mono;

/** Writes a {@link ChunkedBody} in Spring WebFlux. No thread waits for the client. Thread-safe. */
final class ReactiveBodyWriter implements HttpMessageWriter<ChunkedBody> {

    @Override
    public List<MediaType> getWritableMediaTypes() {
        return List.of(MediaType.ALL);
    }

    @Override
    public boolean canWrite(ResolvableType type, @Nullable MediaType mediaType) {
        return type.resolve() == ChunkedBody.class;
    }

    @Override
    public Mono<Void> write(
            Publisher<? extends ChunkedBody> body,
            ResolvableType type,
            @Nullable MediaType mediaType,
            ReactiveHttpOutputMessage response,
            Map<String, Object> hints) {
        return Mono.from(body)
                .flatMap(chunked -> response.writeWith(chunked.chunks().map(response.bufferFactory()::wrap)));
    }
}
