package io.millrace.feed.pcap;

import java.io.IOException;
import java.io.Serial;

/** A file that is no capture, or one that is damaged at a place behind which nothing can be made out any more. */
public final class CaptureException extends IOException {

    @Serial
    private static final long serialVersionUID = 1;

    CaptureException(String message) {
        super(message);
    }
}
