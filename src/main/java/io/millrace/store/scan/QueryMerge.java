package io.millrace.store.scan;

/** The first records, in the query's order, of many parts. Not thread-safe. */
final class QueryMerge {

    private final int width;
    private final TopRecords top;

    /**
     * @param limit maximum number of records
     * @param width number of keys that order them, at least one
     */
    QueryMerge(int limit, int width) {
        this.width = width;
        top = new TopRecords(limit, width);
    }

    /** Adds the records of a part that belong to the first ones. */
    void add(QueryPart part) {
        long[][] columns = columns(part);
        for (int i = 0; i < part.records().count(); i++) {
            if (top.keeps(columns, i)) {
                top.offer(columns, i, part.records().copy(i), 0);
            }
        }
    }

    private long[][] columns(QueryPart part) {
        int records = part.records().count();
        long[][] columns = new long[width][records];
        for (int i = 0; i < records; i++) {
            for (int k = 0; k < width; k++) {
                columns[k][i] = part.keys()[i * width + k];
            }
        }
        return columns;
    }

    /** Returns the first records of all parts; may be called once. */
    PackedRecords best() {
        PackedRecords.Builder records = new PackedRecords.Builder();
        top.drain((record, at, keys, keysAt) -> records.add(record));
        return records.build();
    }
}
