package io.millrace.web;

import java.nio.charset.StandardCharsets;

/** Server-sent events as bytes. */
public final class EventBytes {

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

    /** Returns a comment, which clients ignore. */
    static byte[] comment(String text) {
        return (':' + text + "\n\n").getBytes(StandardCharsets.US_ASCII);
    }
}
