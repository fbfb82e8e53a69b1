package io.millrace.store.scan;

import io.millrace.codec.FieldValueException;
import io.millrace.store.query.Answer;
import io.millrace.store.query.NoResultException;
import io.millrace.store.query.PartSource;
import io.millrace.store.query.Query;
import io.millrace.store.query.StoredRecordReader;
import java.time.Duration;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The records that a query finds. With an order, the first row is available once all records were scanned. */
public final class QueryAnswer<T> extends Answer<T> {

    private final QueryScan scan;
    private final PartSource<QueryPart> source;
    private final StoredRecordReader<T> reader;
    private final Consumer<QueryScan> ended;
    private Iterator<PackedRecords> pages = Collections.emptyIterator();
    private PackedRecords page = PackedRecords.NONE;
    private int index;
    private long remaining;
    private boolean finished;

    /**
     * @param scan compiled from the query
     * @param start {@link System#nanoTime} at the start of the query
     * @param ended receives the scan once it is no longer used here, unless an error occurred
     */
    public QueryAnswer(
            String region,
            Query query,
            QueryScan scan,
            PartSource<QueryPart> source,
            StoredRecordReader<T> reader,
            Duration timeout,
            long start,
            Consumer<QueryScan> ended) {
        super(region, query.onError(), timeout, System.nanoTime() - start);
        this.scan = scan;
        this.source = source;
        this.reader = reader;
        this.ended = ended;
        this.remaining = query.limit();
    }

    @Override
    public @Nullable T next() {
        while (remaining > 0 && advancePage()) {
            requireResults(source.ended());
            T row = read();
            if (row != null) {
                return row;
            }
        }
        requireResults(source.ended());
        if (!finished) {
            finished = true;
            ended.accept(scan);
        }
        return null;
    }

    /** Advances to a page with another record, and returns whether there is one. */
    private boolean advancePage() {
        while (index == page.count()) {
            if (pages.hasNext()) {
                page = pages.next();
                index = 0;
            } else if (source.ended()) {
                return false;
            } else if (scan.plan().orders().isEmpty()) {
                pages = scanned().stream().map(QueryPart::records).iterator();
            } else {
                pages = List.of(best()).iterator();
            }
        }
        return true;
    }

    private List<QueryPart> scanned() {
        List<QueryPart> found = look(source, remaining);
        found.forEach(part -> count(part.counts()));
        return found;
    }

    private PackedRecords best() {
        QueryMerge merge =
                new QueryMerge(Math.toIntExact(remaining), scan.plan().orders().size());
        while (!source.ended()) {
            scanned().forEach(merge::add);
        }
        return merge.best();
    }

    private @Nullable T read() {
        int at = index++;
        remaining--;
        try {
            return reader.read(page.bytes(), page.from(at), page.to(at));
        } catch (FieldValueException | NoResultException e) {
            countFailed(1, e.getMessage());
            return null;
        }
    }
}
