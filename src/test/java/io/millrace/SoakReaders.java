package io.millrace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Those who read while records are stored: queries one after the other, a stream that stays, and one that comes and
 * goes.
 */
final class SoakReaders implements AutoCloseable {

    /** A server that serves: nothing, for now, while it is struck. */
    private static final List<Integer> UNAVAILABLE = List.of(503, 504);

    private final HttpClient http = HttpClient.newHttpClient();
    private final List<Thread> threads = new ArrayList<>();
    private final List<AtomicLong> counts = new ArrayList<>();
    private final Queue<String> wrong = new ConcurrentLinkedQueue<>();
    private volatile boolean open = true;

    /** One turn of a reader: counts what it got. */
    private interface Turn {
        void run(AtomicLong count) throws IOException, InterruptedException;
    }

    /**
     * Begins to read.
     *
     * @param queries paths with queries, sent to the ingest and to a server
     * @param stream path of a stream of events, of the ingest
     */
    SoakReaders(MillraceProcess ingest, MillraceProcess server, List<String> queries, String stream) {
        for (MillraceProcess process : List.of(ingest, server)) {
            start(count -> {
                for (String query : queries) {
                    query(process, query, count);
                }
            });
        }
        start(count -> listen(ingest, stream, Long.MAX_VALUE, count));
        start(count -> listen(ingest, stream, 2, count));
    }

    private void start(Turn turn) {
        AtomicLong count = new AtomicLong();
        counts.add(count);
        threads.add(Thread.ofPlatform().daemon().start(() -> {
            try {
                while (open) {
                    try {
                        turn.run(count);
                    } catch (IOException e) {
                        Thread.sleep(100); // The next turn may find it again.
                    }
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }));
    }

    private void query(MillraceProcess process, String query, AtomicLong count)
            throws IOException, InterruptedException {
        HttpResponse<String> answer = http.send(request(process, query), BodyHandlers.ofString());
        if (answer.statusCode() == 200) {
            count.incrementAndGet();
        } else if (!UNAVAILABLE.contains(answer.statusCode())) {
            wrong.add(query + ": " + answer.body());
        }
        Thread.sleep(50);
    }

    /** Counts events, until there were so many of them or the stream ends. */
    private void listen(MillraceProcess process, String stream, long most, AtomicLong count)
            throws IOException, InterruptedException {
        HttpResponse<InputStream> answer = http.send(request(process, stream), BodyHandlers.ofInputStream());
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(answer.body(), StandardCharsets.UTF_8))) {
            long events = 0;
            for (String line = lines.readLine(); line != null && events < most && open; line = lines.readLine()) {
                if (line.startsWith("data:")) {
                    events++;
                    count.incrementAndGet();
                }
            }
        }
    }

    private static HttpRequest request(MillraceProcess process, String path) throws IOException {
        URI uri = process.uri(path);
        if (uri == null) {
            throw new IOException("does not listen yet");
        }
        return HttpRequest.newBuilder(uri).timeout(TestTimeout.MAX).build();
    }

    /** Waits until each of them has got something more, and asserts that no answer was wrong. */
    void awaitProgress() {
        List<Long> before = counts.stream().map(AtomicLong::get).toList();
        await().until(() -> {
            for (int i = 0; i < before.size(); i++) {
                if (counts.get(i).get() <= before.get(i)) {
                    return false;
                }
            }
            return true;
        });
        assertThat(wrong).isEmpty();
    }

    /** How many answers and events there were. */
    long count() {
        return counts.stream().mapToLong(AtomicLong::get).sum();
    }

    @Override
    public void close() {
        open = false;
        threads.forEach(Thread::interrupt);
        http.shutdownNow();
    }
}
