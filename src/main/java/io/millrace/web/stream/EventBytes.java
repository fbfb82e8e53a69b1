package io.millrace.web.stream;

import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** Server-sent events as bytes. */
public final class EventBytes {

    /** Interval between comments, shorter than the idle time after which networks close connections. */
    static final Duration SIGN_OF_LIFE = Duration.ofSeconds(15);

    /** A comment, which clients ignore. */
    static final byte[] LISTENING = ":listening\n\n".getBytes(StandardCharsets.US_ASCII);

    private static final byte[] DATA = "data:".getBytes(StandardCharsets.US_ASCII);

    private EventBytes() {}

    /**
     * Returns an event.
     *
     * @param json its data, without a line break
     */
    public static byte[] data(byte[] json) {
        byte[] event = new byte[DATA.length + json.length + 2];
        System.arraycopy(DATA, 0, event, 0, DATA.length);
        System.arraycopy(json, 0, event, DATA.length, json.length);
        event[event.length - 2] = '\n';
        event[event.length - 1] = '\n';
        return event;
    }
}
