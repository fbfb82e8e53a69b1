package io.millrace.feed.pcap;

import java.io.IOException;
import java.io.Serial;

/** Thrown when a file is not a capture, or is so damaged that no packet after that position can be found. */
public final class CaptureException extends IOException {

    @Serial
    private static final long serialVersionUID = 1;

    CaptureException(String message) {
        super(message);
    }
}
