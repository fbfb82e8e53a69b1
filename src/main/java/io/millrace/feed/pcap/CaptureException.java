package io.millrace.feed.pcap;

import io.millrace.codec.ContentException;
import java.io.Serial;

/** Thrown when a file is not a capture, or is so damaged that no packet after that position can be found. */
public final class CaptureException extends ContentException {

    @Serial
    private static final long serialVersionUID = 1;

    CaptureException(String message) {
        super(message);
    }
}
