package io.millrace;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** An HTTP/1.1 connection that sends any bytes, such as no client library would. Not thread-safe. */
final class RawConnection implements AutoCloseable {

    private static final int MAX_LINE_LENGTH = 1 << 16;

    private final Socket socket;
    private final InputStream in;

    /** @param timeoutMillis how long to wait for bytes of a response; then {@link java.net.SocketTimeoutException} */
    RawConnection(int port, int timeoutMillis) throws IOException {
        this(InetAddress.getLoopbackAddress(), port, timeoutMillis);
    }

    /** @param from address of this machine that the server sees */
    RawConnection(InetAddress from, int port, int timeoutMillis) throws IOException {
        socket = new Socket();
        socket.bind(new InetSocketAddress(from, 0));
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), timeoutMillis);
        socket.setSoTimeout(timeoutMillis);
        socket.setTcpNoDelay(true);
        in = new BufferedInputStream(socket.getInputStream());
    }

    /** A response; header names in any case. */
    record Response(int status, Map<String, String> headers, String body) {

        boolean closes() {
            return "close".equalsIgnoreCase(headers.get("Connection"));
        }

        boolean isEventStream() {
            return headers.getOrDefault("Content-Type", "").startsWith("text/event-stream");
        }
    }

    void send(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
    }

    /** Sends nothing more, and still reads. */
    void endOutput() throws IOException {
        socket.shutdownOutput();
    }

    /** Closes the connection by a reset. */
    void reset() throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    /** Reads and discards bytes until the server closes the connection. */
    void awaitEnd() throws IOException {
        in.transferTo(java.io.OutputStream.nullOutputStream());
    }

    /**
     * Reads a response. Of a stream of events, only the head.
     *
     * @param head whether it is the response to {@code HEAD}, which has no body
     * @return null where the server has closed the connection
     */
    @Nullable
    Response read(boolean head) throws IOException {
        String line = line();
        if (line == null) {
            return null;
        }
        if (!line.matches("HTTP/1\\.[01] \\d{3}( .*)?")) {
            throw new IOException("not a status line: " + line);
        }
        int status = Integer.parseInt(line.substring(9, 12));
        Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        for (String header = line(); header != null && !header.isEmpty(); header = line()) {
            int colon = header.indexOf(':');
            headers.merge(
                    header.substring(0, colon), header.substring(colon + 1).strip(), (a, b) -> a + ", " + b);
        }
        if (status == 100) {
            return read(head);
        }
        Response withoutBody = new Response(status, headers, "");
        if (head || status == 204 || status == 304 || status == 101 || withoutBody.isEventStream()) {
            return withoutBody;
        }
        return new Response(status, headers, body(headers));
    }

    private String body(Map<String, String> headers) throws IOException {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        if (headers.getOrDefault("Transfer-Encoding", "")
                .toLowerCase(Locale.ROOT)
                .contains("chunked")) {
            for (int length = chunkLength(); length > 0; length = chunkLength()) {
                body.write(exactly(length));
                line();
            }
            line();
        } else if (headers.containsKey("Content-Length")) {
            body.write(exactly(Integer.parseInt(headers.getOrDefault("Content-Length", "0"))));
        } else {
            in.transferTo(body);
        }
        return body.toString(StandardCharsets.UTF_8);
    }

    private int chunkLength() throws IOException {
        String line = line();
        if (line == null) {
            throw new EOFException("closed within a chunked body");
        }
        return Integer.parseInt(line.strip(), 16);
    }

    private byte[] exactly(int length) throws IOException {
        byte[] bytes = in.readNBytes(length);
        if (bytes.length < length) {
            throw new EOFException("closed after " + bytes.length + " of " + length + " bytes");
        }
        return bytes;
    }

    private @Nullable String line() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int b = in.read(); b != '\n'; b = in.read()) {
            if (b < 0) {
                return line.size() == 0 ? null : line.toString(StandardCharsets.ISO_8859_1);
            }
            if (line.size() == MAX_LINE_LENGTH) {
                throw new IOException("a line of the response's head is too long");
            }
            line.write(b);
        }
        return line.toString(StandardCharsets.ISO_8859_1).stripTrailing();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
