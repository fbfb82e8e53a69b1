package io.millrace.web.answer;

import io.millrace.web.request.BusyException;
import io.millrace.web.request.Workers;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import reactor.core.publisher.Flux;
import reactor.core.publisher.FluxSink;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;

/**
 * Threads that run queries on regions. Each processes one query from its first row until the client has read the last
 * byte, so the number of threads is the number of concurrent queries. A few more queries wait for a thread; further
 * ones are refused. Other requests and health checks use other threads. Thread-safe.
 */
final class AnswerThreads implements AutoCloseable {

    private static final int AHEAD_BYTES = 1 << 20;
    private static final int RETRY_AFTER_SECONDS = 1;

    /** The header of a CSV answer with the number of records that were left out. */
    private static final String FAILED_HEADER = "Millrace-Failed";

    private final ThreadPoolExecutor threads;
    private final Duration unreadTimeout;

    /**
     * @param atATime maximum number of concurrent queries
     * @param waiting maximum number of queries that wait for a thread
     * @param unreadTimeout how long a client may read nothing of its answer
     */
    AnswerThreads(int atATime, int waiting, Duration unreadTimeout) {
        threads = new ThreadPoolExecutor(
                atATime,
                atATime,
                1,
                TimeUnit.MINUTES,
                new LinkedBlockingQueue<>(waiting),
                Thread.ofPlatform().name("answer-", 0).daemon().factory());
        threads.allowCoreThreadTimeOut(true);
        this.unreadTimeout = unreadTimeout;
    }

    /**
     * Runs a query when it is subscribed to. Errors before the first megabyte are errors of the result; a later error
     * closes the connection.
     */
    Mono<ResponseEntity<ChunkedBody>> answer(AnswerFormat format, Callable<AnswerBody> query) {
        return Mono.create(response -> {
            Answering answering = new Answering(format, query, response);
            response.onCancel(answering::cancel);
            try {
                threads.execute(answering);
            } catch (RejectedExecutionException e) {
                response.error(new BusyException(RETRY_AFTER_SECONDS));
            }
        });
    }

    @Override
    public void close() {
        threads.shutdown();
    }

    /** One answer. Its thread works only while the client requests more. */
    private final class Answering implements Runnable {

        private final AnswerFormat format;
        private final Callable<AnswerBody> query;
        private final MonoSink<ResponseEntity<ChunkedBody>> response;
        private final CompletableFuture<FluxSink<byte[]>> client = new CompletableFuture<>();
        private final Semaphore wanted = new Semaphore(0);
        private volatile @Nullable AnswerBody body;
        private volatile boolean cancelled;
        private volatile boolean unbounded;

        Answering(AnswerFormat format, Callable<AnswerBody> query, MonoSink<ResponseEntity<ChunkedBody>> response) {
            this.format = format;
            this.query = query;
            this.response = response;
        }

        @Override
        public void run() {
            if (cancelled) {
                return;
            }
            AnswerBody made;
            try {
                made = Workers.answering(this::begin);
            } catch (Throwable e) { // includes Error: otherwise the client would never get a response
                response.error(e);
                return;
            }
            ResponseEntity.BodyBuilder head = ResponseEntity.ok().contentType(format.mediaType());
            if (format == AnswerFormat.CSV) {
                head.header(FAILED_HEADER, String.valueOf(made.reportFailed()));
            }
            if (made.isWhole()) {
                response.success(
                        head.contentLength(made.length()).body(new ChunkedBody(Flux.fromIterable(made.whole()))));
                return;
            }
            response.success(head.body(new ChunkedBody(Flux.create(this::connect))));
            try {
                Workers.answering(() -> {
                    write(made);
                    return made;
                });
            } catch (Throwable e) {
                made.close();
                var _ = client.thenAccept(out -> out.error(new BrokenAnswerException(e)));
            }
        }

        private AnswerBody begin() throws Exception {
            AnswerBody begun = query.call();
            body = begun;
            if (cancelled) {
                begun.close();
            }
            begun.readAhead(AHEAD_BYTES);
            return begun;
        }

        private void connect(FluxSink<byte[]> out) {
            out.onRequest(chunks -> {
                unbounded |= chunks == Long.MAX_VALUE;
                wanted.release((int) Math.min(chunks, Short.MAX_VALUE));
            });
            out.onDispose(this::cancel);
            client.complete(out);
        }

        private void write(AnswerBody made) throws Exception {
            FluxSink<byte[]> out;
            try {
                out = client.get(unreadTimeout.toMillis(), TimeUnit.MILLISECONDS);
            } catch (TimeoutException e) {
                made.close();
                return;
            }
            while (true) {
                if (!unbounded && !wanted.tryAcquire(unreadTimeout.toMillis(), TimeUnit.MILLISECONDS)) {
                    throw new IllegalStateException("The client has read nothing for " + unreadTimeout + ".");
                }
                byte[] chunk = cancelled ? new byte[0] : made.next();
                if (chunk.length == 0) {
                    out.complete();
                    return;
                }
                out.next(chunk);
            }
        }

        /** Ends the query, because the client is gone or has read everything. */
        private void cancel() {
            cancelled = true;
            threads.remove(this); // frees its place in the queue
            AnswerBody begun = body;
            if (begun != null) {
                begun.close();
            }
            wanted.release();
        }
    }
}
