package io.millrace.web.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.TestTimeout;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Reads server-sent events; the connection ends when it is closed. */
final class EventReader implements AutoCloseable {

    private static final String DATA = "data:";

    private final BufferedReader lines;

    EventReader(InputStream stream) throws IOException {
        lines = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8));
        assertThat(lines.readLine()).isEqualTo(":listening");
    }

    /** The next event's data. */
    JsonNode next() throws Exception {
        String line = CompletableFuture.supplyAsync(this::nextData, Thread.ofVirtual()::start)
                .get(TestTimeout.MAX.toSeconds(), TimeUnit.SECONDS);
        return JsonMapper.shared().readTree(line.substring(DATA.length()));
    }

    private String nextData() {
        try {
            String line = lines.readLine();
            while (line != null && !line.startsWith(DATA)) {
                line = lines.readLine();
            }
            assertThat(line).as("the stream goes on").isNotNull();
            return line;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() throws IOException {
        lines.close();
    }
}
