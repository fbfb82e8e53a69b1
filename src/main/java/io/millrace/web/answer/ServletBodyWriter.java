package io.millrace.web.answer;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpInputMessage;
import org.springframework.http.HttpOutputMessage;
import org.springframework.http.MediaType;
import org.springframework.http.converter.HttpMessageConverter;
import org.springframework.http.converter.HttpMessageNotReadableException;

/**
 * Writes a {@link ChunkedBody} in Spring MVC. The thread of the servlet container waits for the client, and requests
 * the next chunk when the previous one is written. Thread-safe.
 */
final class ServletBodyWriter implements HttpMessageConverter<ChunkedBody> {

    @Override
    public boolean canRead(Class<?> type, @Nullable MediaType mediaType) {
        return false;
    }

    @Override
    public boolean canWrite(Class<?> type, @Nullable MediaType mediaType) {
        return type == ChunkedBody.class;
    }

    @Override
    public List<MediaType> getSupportedMediaTypes() {
        return List.of(MediaType.ALL);
    }

    @Override
    public ChunkedBody read(Class<? extends ChunkedBody> type, HttpInputMessage request) {
        throw new HttpMessageNotReadableException("A chunked body can't be read.", request);
    }

    @Override
    public void write(ChunkedBody body, @Nullable MediaType mediaType, HttpOutputMessage response) throws IOException {
        // Closing the stream ends the query of a client that is gone.
        try (Stream<byte[]> chunks = body.chunks().toStream(1)) {
            OutputStream out = response.getBody();
            for (Iterator<byte[]> remaining = chunks.iterator(); remaining.hasNext(); ) {
                out.write(remaining.next());
            }
            out.flush();
        }
    }
}
