package io.millrace.feed.tcp;

import io.millrace.codec.RecordBatch;
import io.millrace.feed.Feed.Piece;
import io.millrace.feed.Feed.Poll;
import io.millrace.schema.Schema;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/** Works a feed as a pipeline does, and keeps what it brings. */
final class FeedRunner implements AutoCloseable {

    private static final Duration WAIT = Duration.ofMillis(5);

    private final TcpFeed feed;
    private final RecordBatch batch;
    private final Thread thread;
    private final List<byte[]> records = new CopyOnWriteArrayList<>();
    private final List<Piece> pieces = new CopyOnWriteArrayList<>();
    private final @Nullable Semaphore polls;
    private volatile long count;
    private volatile boolean storing = true;
    private volatile boolean keeping = true;
    private volatile boolean stopping;
    private volatile @Nullable Throwable failure;

    /** @param polls how many polls may be made, or null for any number */
    FeedRunner(TcpFeed feed, Schema schema, @Nullable Semaphore polls) throws IOException {
        this.feed = feed;
        this.batch = new RecordBatch(schema);
        this.polls = polls;
        this.thread = new Thread(this::run, "test-pipeline");
        feed.open(0);
        thread.start();
    }

    private void run() {
        try {
            while (!stopping) {
                if (polls != null) {
                    polls.acquire();
                }
                if (feed.poll(batch, WAIT) == Poll.RECORDS) {
                    takeRecords();
                }
                for (Piece piece = feed.takePiece(); piece != null; piece = feed.takePiece()) {
                    pieces.add(piece);
                }
                if (storing && feed.answers()) {
                    feed.stored();
                }
            }
        } catch (InterruptedException e) {
            // the end
        } catch (RuntimeException | Error e) {
            failure = e;
        }
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // only this thread writes
    private void takeRecords() {
        if (keeping) {
            for (int i = 0; i < batch.count(); i++) {
                int from = batch.offset(i);
                records.add(Arrays.copyOfRange(batch.bytes(), from, from + batch.length(i)));
            }
        }
        count += batch.count();
    }

    TcpFeed feed() {
        return feed;
    }

    List<byte[]> records() {
        return records;
    }

    List<Piece> pieces() {
        return pieces;
    }

    long count() {
        return count;
    }

    /** Counts records, without keeping them. */
    void onlyCount() {
        keeping = false;
    }

    /** Whether what is taken counts as stored. */
    void storing(boolean wanted) {
        storing = wanted;
    }

    @Override
    public void close() {
        stopping = true;
        thread.interrupt();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        feed.close();
        if (failure != null) {
            throw new AssertionError("the feed failed", failure);
        }
    }
}
