package io.millrace.codec.text.format;

import io.millrace.codec.json.JsonBuffer;
import java.io.IOException;
import java.io.OutputStream;

/** JSON lines that are written to a stream in large pieces. Not thread-safe. */
final class JsonLines {

    private static final int FLUSH_BYTES = 1 << 16;

    private final JsonBuffer json = new JsonBuffer();
    private final OutputStream out;

    JsonLines(OutputStream out) {
        this.out = out;
    }

    /** Returns what the current line is appended to. */
    JsonBuffer json() {
        return json;
    }

    /** Ends the current line. */
    void end() throws IOException {
        json.put('\n');
        if (json.length() >= FLUSH_BYTES) {
            flush();
        }
    }

    void flush() throws IOException {
        json.flushTo(out);
        out.flush();
    }
}
