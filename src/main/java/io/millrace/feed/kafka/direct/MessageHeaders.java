package io.millrace.feed.kafka.direct;

import io.millrace.feed.kafka.read.Slice;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;

/**
 * The headers of the message that was read last: their number, and for each the lengths and bytes of its name and its
 * value. Not thread-safe.
 */
final class MessageHeaders {

    private final MessageWindow window;
    private int start;

    private int nameStart;
    private int nameEnd;
    private int valueStart;
    private int valueLength;

    MessageHeaders(MessageWindow window) {
        this.window = window;
    }

    /** Begins with a message, at the index of its headers. */
    void begin(int index) {
        start = index;
    }

    /** Sets a slice to the value of the last header of a name. */
    void find(byte[] name, Slice value) {
        int messageEnd = window.index();
        window.rewind(start);
        value.clear();
        for (int left = window.varint(); left > 0; left--) {
            next();
            if (Arrays.equals(window.bytes(), nameStart, nameEnd, name, 0, name.length)) {
                value.set(window.bytes(), valueStart, valueLength);
            }
        }
        window.endMessage(messageEnd);
    }

    /** Returns copies of all. */
    List<Header> copies() {
        List<Header> headers = new ArrayList<>();
        int messageEnd = window.index();
        window.rewind(start);
        for (int left = window.varint(); left > 0; left--) {
            next();
            headers.add(new RecordHeader(
                    new String(window.bytes(), nameStart, nameEnd - nameStart, StandardCharsets.UTF_8),
                    valueLength < 0 ? null : Arrays.copyOfRange(window.bytes(), valueStart, valueStart + valueLength)));
        }
        window.endMessage(messageEnd);
        return headers;
    }

    private void next() {
        int nameLength = window.varint();
        nameStart = window.index();
        window.skip(nameLength);
        nameEnd = window.index();
        valueLength = window.varint();
        valueStart = window.index();
        if (valueLength > 0) {
            window.skip(valueLength);
        }
    }
}
