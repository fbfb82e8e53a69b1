package io.millrace.config;

import io.millrace.store.query.RecordListener;
import io.millrace.table.LiveTable;

/**
 * Applies the changes of a region to the table that follows it.
 *
 * @param table table with the schema and the key of the region
 */
record RegionFollower(LiveTable table) implements RecordListener {

    @Override
    public void put(byte[] stored) {
        table.put(stored);
    }

    @Override
    public void removed(Object key) {
        table.remove(key);
    }
}
