package io.millrace.store.geode.cache;

import org.apache.geode.cache.CacheWriterException;

/** Thrown on a server, and sent to the client, when a write carries a term that has ended, or no term. */
public final class StaleTermException extends CacheWriterException {

    private static final long serialVersionUID = 1;

    public StaleTermException(String message) {
        super(message);
    }
}
