package io.millrace.cli.convert;

import io.millrace.cli.file.Progress;
import io.millrace.cli.file.ProgressCount;
import io.millrace.cli.file.ReplacedFile;
import io.millrace.codec.RecordBatch;
import io.millrace.feed.Feed.Poll;
import io.millrace.feed.Split;
import io.millrace.feed.generator.DayCurve;
import io.millrace.feed.generator.GeneratorFeed;
import io.millrace.feed.radius.load.LoadClient;
import io.millrace.feed.radius.load.RequestCapture;
import io.millrace.feed.radius.load.RequestSource;
import io.millrace.feed.radius.packet.Secret;
import io.millrace.schema.Schema;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.NoSuchElementException;

/** Accounting requests of the generator, which are written or sent once. Not thread-safe. */
final class GeneratedRequests implements RequestSource {

    private static final int SOCKETS = 4;
    private static final int WINDOW = 64;

    /** Maximum number of requests that are sent and not answered yet. */
    static final int MOST_UNANSWERED = SOCKETS * WINDOW;

    private static final int REQUESTS_AT_ONCE = 1024;

    private final long count;
    private final GeneratorFeed feed;
    private final RecordBatch batch;
    private final DayCurve times = new DayCurve();
    private int place;
    private long number;

    GeneratedRequests(Schema schema, long seed, long count) {
        this.count = count;
        feed = new GeneratorFeed(schema, seed, count, 0, REQUESTS_AT_ONCE, Split.WHOLE);
        feed.open(0);
        batch = new RecordBatch(schema);
    }

    /** @throws NoSuchElementException after the last request */
    @Override
    public int next(byte[] into) {
        if (place == batch.count()) {
            if (feed.poll(batch, Duration.ZERO) != Poll.RECORDS) {
                throw new NoSuchElementException("No more requests after " + number + ".");
            }
            place = 0;
        }
        int length = batch.length(place);
        System.arraycopy(batch.bytes(), batch.offset(place), into, 0, length);
        place++;
        times.moveTo(number++);
        return length;
    }

    /** Writes all requests as a capture, with the times of their events. */
    void writeCapture(Secret secret, Path target) throws IOException {
        RequestCapture capture = new RequestCapture(secret);
        byte[] request = new byte[LONGEST];
        try (ReplacedFile file = new ReplacedFile(target);
                ProgressCount progress = Progress.ofCommand().count("generate", ProgressCount.Unit.RECORDS, count)) {
            while (number < count) {
                int length = next(request);
                capture.add(request, length, times.epochNanos());
                if (number % REQUESTS_AT_ONCE == 0) {
                    capture.moveTo(file.stream());
                    progress.add(REQUESTS_AT_ONCE);
                }
            }
            capture.moveTo(file.stream());
            file.commit();
        }
    }

    /**
     * Sends all requests to a server, and waits for the responses.
     *
     * @param rate number of requests per second; 0 for as many as are answered
     */
    LoadClient.Result send(Secret secret, InetSocketAddress server, long rate) throws IOException {
        try {
            return new LoadClient(
                            new LoadClient.Plan(server, secret, this, SOCKETS, WINDOW, count, rate, Integer.MAX_VALUE))
                    .run();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("Interrupted before all requests were answered.");
        }
    }
}
