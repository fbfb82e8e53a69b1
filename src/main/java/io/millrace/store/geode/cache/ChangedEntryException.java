package io.millrace.store.geode.cache;

import org.apache.geode.cache.CacheWriterException;

/** Thrown, possibly by another member, when an entry to be removed as expired was stored again meanwhile. */
public final class ChangedEntryException extends CacheWriterException {

    private static final long serialVersionUID = 1;

    ChangedEntryException(String message) {
        super(message);
    }
}
