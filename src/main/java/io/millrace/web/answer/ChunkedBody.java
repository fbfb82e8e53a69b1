package io.millrace.web.answer;

import reactor.core.publisher.Flux;

/**
 * The body of a response, sent no faster than the client reads it. If it ends with an error, so does the connection.
 *
 * @param chunks its bytes; can be subscribed to once
 */
record ChunkedBody(Flux<byte[]> chunks) {}
