package io.millrace.store;

import io.millrace.codec.RecordBatch;
import io.millrace.codec.RejectSink;
import io.millrace.schema.Schema;
import io.millrace.store.region.BlockKey;
import io.millrace.store.write.Commit;
import io.millrace.store.write.Commits;
import io.millrace.store.write.RegionWriter;
import io.millrace.store.write.Term;
import io.millrace.store.write.WriterCounters;
import io.millrace.store.write.WriterName;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

/** Writers for tests of one region: each claims a term, begins with what was committed, and commits what it flushes. */
public final class Writers {

    private static final Map<String, Integer> NUMBERS = new ConcurrentHashMap<>();

    private Writers() {}

    /** An open writer; the sink must not be asked. */
    public static RegionWriter open(Store store, String region, String pipeline, Schema records) {
        return open(store, region, pipeline, 0, records, (_, _, reason) -> {
            throw new AssertionError(reason.toString());
        });
    }

    /** An open writer. */
    public static RegionWriter open(
            Store store, String region, String pipeline, int partition, Schema records, RejectSink rejects) {
        WriterName name = WriterName.of(pipeline, partition);
        RegionWriter writer = store.writer(region, name, records, rejects);
        boolean persistent = store.definition(region).persistent();
        Term term = Objects.requireNonNull(store.claim(name, persistent).term());
        NUMBERS.put(region + name.text(), term.number());
        Commits commits = store.commits(persistent);
        Commit last = commits.get(name);
        writer.open(term, last == null ? 0 : last.covers(region));
        return new Committing(writer, commits, term, region);
    }

    /** The key of the first block of a writer that was opened by this class. */
    public static long firstKey(String region, String pipeline, int partition) {
        return BlockKey.first(Objects.requireNonNull(
                NUMBERS.get(region + WriterName.of(pipeline, partition).text())));
    }

    /** A term that nobody checks. */
    public static Term term(String region, String pipeline, int number) {
        WriterName name = WriterName.of(pipeline, 0);
        NUMBERS.put(region + name.text(), number);
        return new Term(name, false, number, 1, "token");
    }

    private record Committing(RegionWriter writer, Commits commits, Term term, String region) implements RegionWriter {

        @Override
        public void open(Term begun, long committed) {
            throw new UnsupportedOperationException("it is open");
        }

        @Override
        public long covered() {
            return writer.covered();
        }

        @Override
        public void append(RecordBatch batch) {
            writer.append(batch);
        }

        @Override
        public void advance(long position) {
            writer.advance(position);
        }

        @Override
        public void flush() {
            writer.flush();
            Commit last = commits.get(term.writer());
            Map<String, Long> regions = new HashMap<>(last == null ? Map.of() : last.regions());
            regions.put(region, writer.covered());
            commits.put(term, new Commit(writer.covered(), "", 1, 0, "", false, Commit.UNALIGNED, regions));
        }

        @Override
        public void endBlock() {
            writer.endBlock();
        }

        @Override
        public void putProvisional(RecordBatch batch) {
            writer.putProvisional(batch);
        }

        @Override
        public Runnable prepare(Schema records) {
            return writer.prepare(records);
        }

        @Override
        public WriterCounters counters() {
            return writer.counters();
        }
    }
}
