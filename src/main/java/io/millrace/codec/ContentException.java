package io.millrace.codec;

import java.io.IOException;
import org.apiguardian.api.API;

/**
 * Thrown when a file does not have the expected content, so that reading it again fails again. The message states the
 * content and what to do.
 */
@API(status = API.Status.STABLE)
public class ContentException extends IOException {

    private static final long serialVersionUID = 1;

    /** @param message states the content and what to do */
    public ContentException(String message) {
        super(message);
    }
}
