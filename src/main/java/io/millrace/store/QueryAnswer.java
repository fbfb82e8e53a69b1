package io.millrace.store;

import io.millrace.codec.FieldValueException;
import java.time.Duration;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The records that a query finds. Where it has an order, the first row comes once all records were looked at. */
public final class QueryAnswer<T> extends Answer<T> {

    private final QueryScan scan;
    private final PartSource<QueryPart> source;
    private final RecordReader<T> reader;
    private final Consumer<QueryScan> ended;
    private Iterator<PackedRecords> pages = Collections.emptyIterator();
    private PackedRecords page = PackedRecords.NONE;
    private int index;
    private long left;
    private boolean finished;

    /**
     * @param scan compiled from the query
     * @param start {@link System#nanoTime} when it was asked
     * @param ended receives the scan once it is of no use here any more, unless something went wrong
     */
    public QueryAnswer(
            String region,
            Query query,
            QueryScan scan,
            PartSource<QueryPart> source,
            RecordReader<T> reader,
            Duration timeout,
            long start,
            Consumer<QueryScan> ended) {
        super(region, timeout, System.nanoTime() - start);
        this.scan = scan;
        this.source = source;
        this.reader = reader;
        this.ended = ended;
        this.left = query.limit();
    }

    @Override
    public @Nullable T next() {
        while (left > 0 && turn()) {
            T row = read();
            if (row != null) {
                return row;
            }
        }
        if (!finished) {
            finished = true;
            ended.accept(scan);
        }
        return null;
    }

    /** Turns to a page with another record on it, if there is one. */
    private boolean turn() {
        while (index == page.count()) {
            if (pages.hasNext()) {
                page = pages.next();
                index = 0;
            } else if (source.ended()) {
                return false;
            } else if (scan.plan().orders().isEmpty()) {
                pages = look().stream().map(QueryPart::records).iterator();
            } else {
                pages = List.of(best()).iterator();
            }
        }
        return true;
    }

    private List<QueryPart> look() {
        List<QueryPart> found = look(source, left);
        found.forEach(part -> count(part.counts()));
        return found;
    }

    private PackedRecords best() {
        QueryMerge merge =
                new QueryMerge(Math.toIntExact(left), scan.plan().orders().size());
        while (!source.ended()) {
            look().forEach(merge::add);
        }
        return merge.best();
    }

    private @Nullable T read() {
        int at = index++;
        left--;
        try {
            return reader.read(page.bytes(), page.from(at), page.to(at));
        } catch (FieldValueException | NoResultException e) {
            countFailed(1, e.getMessage());
            return null;
        }
    }
}
