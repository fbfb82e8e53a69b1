package io.millrace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.BufferedOutputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A sender of nothing but malformed records, on a small heap. */
@Tag("long")
class JunkIT {

    private static final int RECORDS = 5_000_000;
    private static final long RETAINED = 64L << 20;

    @TempDir
    Path folder;

    @Test
    void shouldSurviveTenMillionRejects() throws Exception {
        int port = FreePort.next();
        String pipeline = "--millrace.pipelines.junk.";
        try (MillraceProcess millrace = MillraceProcess.startWithHeap(
                folder,
                "512m",
                "--server.port=0",
                "--millrace.regions.all.layout=blocks",
                pipeline + "schema=trade",
                pipeline + "feed.tcp.port=" + port,
                pipeline + "feed.tcp.framing=length-prefixed",
                pipeline + "steps[0].to=all")) {
            await().until(() -> millrace.output().contains("TCP feed is listening"));
            // Records of a wrong length, and records whose values are none.
            send(port, new byte[] {0, 2, 1, 2});
            byte[] invalid = new byte[2 + 39];
            Arrays.fill(invalid, (byte) 0xEE);
            invalid[0] = 0;
            invalid[1] = 39;
            send(port, invalid);

            await().until(() -> rejected(millrace) == 2L * RECORDS);
            assertThat(get(millrace, "/actuator/health/liveness")).contains("UP");
            assertThat(get(millrace, "/api/pipelines"))
                    .contains("\"truncated\":" + RECORDS, "\"invalid-value\":" + RECORDS);
            await().until(() -> region(millrace).at("/valueBytes").asLong() <= RETAINED);
            // The last rejects are counted when they are made, and stored a moment later.
            await().until(() -> storedOrExpired(region(millrace)) == 2L * RECORDS);
            assertThat(region(millrace).at("/valueBytes").asLong()).isGreaterThan(RETAINED / 2);

            JsonNode last = records(millrace, "orderBy=time desc&limit=1");
            assertThat(last.at("/0/reason").asString()).isEqualTo("invalid-value");
            assertThat(last.at("/0/bytes").asString()).isEqualTo("ee".repeat(39));
            assertThat(records(millrace, "limit=10").size()).isEqualTo(10);
            assertThat(millrace.output())
                    .contains("Expired blocks removed: region=junk-rejected ")
                    .doesNotContain("OutOfMemoryError");
        }
    }

    private static long storedOrExpired(JsonNode region) {
        return region.at("/records").asLong() + region.at("/expired").asLong();
    }

    private static void send(int port, byte[] record) throws Exception {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
                OutputStream out = new BufferedOutputStream(socket.getOutputStream(), 1 << 16)) {
            for (int i = 0; i < RECORDS; i++) {
                out.write(record);
            }
        }
    }

    private static String get(MillraceProcess millrace, String path) throws Exception {
        return String.valueOf(millrace.get(path));
    }

    private static long rejected(MillraceProcess millrace) throws Exception {
        return JsonMapper.shared()
                .readTree(get(millrace, "/api/pipelines"))
                .at("/0/rejected")
                .asLong();
    }

    private static JsonNode region(MillraceProcess millrace) throws Exception {
        return JsonMapper.shared().readTree(get(millrace, "/api/regions/junk-rejected"));
    }

    private static JsonNode records(MillraceProcess millrace, String query) throws Exception {
        String encoded = query.replace(" ", URLEncoder.encode(" ", StandardCharsets.UTF_8));
        return JsonMapper.shared()
                .readTree(get(millrace, "/api/regions/junk-rejected/records?" + encoded))
                .at("/records");
    }
}
