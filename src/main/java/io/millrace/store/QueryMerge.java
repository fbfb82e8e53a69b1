package io.millrace.store;

/** The best records of many parts. Not thread-safe. */
final class QueryMerge {

    private final int width;
    private final TopRecords top;

    /**
     * @param limit how many to keep
     * @param width how many keys order them, at least one
     */
    QueryMerge(int limit, int width) {
        this.width = width;
        top = new TopRecords(limit, width);
    }

    /** Takes what a part found, as far as it is good enough. */
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

    /** The best of all parts; may be called once. */
    PackedRecords best() {
        PackedRecords.Builder records = new PackedRecords.Builder();
        top.drain((record, at, keys, keysAt) -> records.add(record));
        return records.build();
    }
}
