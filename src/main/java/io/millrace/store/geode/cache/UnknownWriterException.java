package io.millrace.store.geode.cache;

import org.apache.geode.cache.CacheWriterException;

/**
 * Thrown on a server, and sent to the client, when a write carries a term of a writer that the servers do not know: all
 * of them have restarted, and writers to regions in memory are recorded in memory only.
 */
public final class UnknownWriterException extends CacheWriterException {

    private static final long serialVersionUID = 1;

    public UnknownWriterException(String message) {
        super(message);
    }
}
