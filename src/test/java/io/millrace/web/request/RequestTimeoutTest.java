package io.millrace.web.request;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.TestTimeout;
import io.millrace.application.MillraceApplication;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;

/** Clients that send a byte of their request now and then: none of them keeps a connection. */
@Tag("long")
@ExtendWith(OutputCaptureExtension.class)
class RequestTimeoutTest {

    /** Bytes that a client sends, each well within the idle timeout, before it must have been cut off. */
    private static final int BYTES_MAX = 400;

    private static final String LIVENESS = "GET /actuator/health/liveness HTTP/1.1\r\nHost: localhost\r\n\r\n";

    private static final String UNFINISHED =
            "PUT /api/pipelines/none/replay HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                    + "Content-Length: 100000\r\n\r\n{";

    @TempDir
    static Path folder;

    private static ConfigurableApplicationContext context;

    @BeforeAll
    static void start() {
        context = new SpringApplicationBuilder(MillraceApplication.class)
                .run("--server.port=0", "--millrace.data=" + folder, "--millrace.web.request-timeout=5s");
    }

    @AfterAll
    static void stop() {
        context.close();
    }

    private static Socket connect() throws IOException {
        int port = context.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setTcpNoDelay(true);
        socket.setSoTimeout((int) TestTimeout.MAX.toMillis());
        return socket;
    }

    private static void send(Socket socket, String text) throws IOException {
        OutputStream out = socket.getOutputStream();
        out.write(text.getBytes(StandardCharsets.US_ASCII));
        out.flush();
    }

    /** Sends a byte every 50 ms, and returns whether the service closed the connection meanwhile. */
    private static boolean trickle(Socket socket) throws Exception {
        try {
            for (int i = 0; i < BYTES_MAX; i++) {
                send(socket, "a");
                Thread.sleep(50);
            }
        } catch (IOException e) {
            return true;
        }
        return false;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "G",
                "GET /actuator/health/liveness HTTP/1.1\r\nHost: localhost\r\nX-Name: ",
                UNFINISHED,
            })
    void shouldCloseAConnectionWhoseRequestComesByteByByte(String beginning) throws Exception {
        try (Socket socket = connect()) {
            send(socket, beginning);
            assertThat(trickle(socket)).isTrue();
        }
        try (Socket socket = connect()) {
            send(socket, LIVENESS);
            assertThat(status(socket)).isEqualTo("HTTP/1.1 200");
            send(socket, beginning);
            assertThat(trickle(socket)).isTrue();
        }
    }

    @Test
    void shouldRefuseABodyThatComesTooLateWithoutALogEntry(CapturedOutput output) throws Exception {
        try (Socket socket = connect()) {
            send(socket, UNFINISHED);
            assertThat(status(socket)).isEqualTo("HTTP/1.1 408");
        }
        for (int i = 0; i < 5; i++) {
            try (Socket socket = connect()) {
                send(socket, UNFINISHED);
                Thread.sleep(100);
                socket.setSoLinger(true, 0);
            }
        }
        Thread.sleep(5_000);
        assertThat(output.getAll()).doesNotContain(" ERROR ");
    }

    @Test
    void shouldKeepAConnectionBetweenRequests() throws Exception {
        try (Socket socket = connect()) {
            for (int i = 0; i < 3; i++) {
                send(socket, LIVENESS.substring(0, 30));
                Thread.sleep(50);
                send(socket, LIVENESS.substring(30));
                assertThat(status(socket)).isEqualTo("HTTP/1.1 200");
                Thread.sleep(5_500);
            }
        }
    }

    /** A stream's request has come as a whole: however long the response takes, nothing ends it. */
    @Test
    void shouldKeepAStreamOpen() throws Exception {
        try (Socket socket = connect()) {
            send(socket, "GET /api/alerts/stream HTTP/1.1\r\nHost: localhost\r\n\r\n");
            Thread.sleep(15_000);
            socket.setSoTimeout(300);
            assertThat(isOpen(socket)).isTrue();
        }
    }

    private static boolean isOpen(Socket socket) throws IOException {
        InputStream in = socket.getInputStream();
        try {
            int read = in.read(new byte[100_000]);
            return read > 0;
        } catch (java.net.SocketTimeoutException e) {
            return true;
        }
    }

    private static String status(Socket socket) throws IOException {
        byte[] response = new byte[100_000];
        int length = socket.getInputStream().read(response);
        return new String(response, 0, Math.max(0, Math.min(12, length)), StandardCharsets.US_ASCII);
    }
}
