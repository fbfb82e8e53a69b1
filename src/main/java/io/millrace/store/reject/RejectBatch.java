package io.millrace.store.reject;

import static io.millrace.store.reject.Reject.DETAIL;
import static io.millrace.store.reject.Reject.ELEMENT_HEADER_LENGTH;
import static io.millrace.store.reject.Reject.HEADER_LENGTH;
import static io.millrace.store.reject.Reject.KIND_AT;
import static io.millrace.store.reject.Reject.LENGTH_AT;
import static io.millrace.store.reject.Reject.MAX_BYTES;
import static io.millrace.store.reject.Reject.MAX_DETAIL;
import static io.millrace.store.reject.Reject.POSITION;
import static io.millrace.store.reject.Reject.RECORD;
import static io.millrace.store.reject.Reject.TIME_AT;
import static io.millrace.store.reject.Reject.VALUE_LENGTH_AT;

import io.millrace.codec.Admission;
import io.millrace.codec.RawBytes;
import io.millrace.codec.RecordBatch;
import io.millrace.codec.RejectReason;
import io.millrace.codec.layout.LayoutCodecs;
import io.millrace.schema.Schema;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Collects rejects of a pipeline until they can be stored: those of a batch once the whole batch has been processed,
 * because a region covers its feed up to a position. Encodes them into one buffer; allocates nothing per reject except
 * the bytes of a detail, unless a buffer grows. Not thread-safe.
 */
public final class RejectBatch {

    /** Schema of the batches: rejects, stored without rows of their fields. */
    public static final Schema RECORDS = Reject.SCHEMA.project(Set.of());

    private static final int FIRST_COUNT = 64;
    private static final int FIRST_BYTES = 8192;

    /** Larger buffers, required by an unusual batch, are released. */
    private static final int RETAINED_BYTES = 1 << 20;

    private final RecordBatch taken;
    private final @Nullable Admission finder;
    private Rejects held = new Rejects();
    private Rejects ready = new Rejects();
    private Rejects rest = new Rejects();

    /** Creates an empty collection, whose batches have the schema {@link #RECORDS}. */
    public RejectBatch() {
        this(RECORDS);
    }

    /**
     * Creates an empty collection.
     *
     * @param records schema of its batches: {@link #RECORDS}, or {@link Reject#SCHEMA} if their fields are read
     */
    public RejectBatch(Schema records) {
        taken = new RecordBatch(records);
        finder = records.equals(RECORDS) ? null : LayoutCodecs.of(records).finder();
    }

    /** Encoded rejects, back to back. */
    private static final class Rejects {

        private byte[] bytes = new byte[FIRST_BYTES];
        private int[] bounds = new int[FIRST_COUNT + 1];
        private long[] positions = new long[FIRST_COUNT + 1];
        /** Length of the rejected record of each reject. */
        private int[] records = new int[FIRST_COUNT + 1];

        private int count;

        private int end() {
            return bounds[count];
        }

        private void makeRoom(int length) {
            if (bounds.length <= count + 1) {
                bounds = Arrays.copyOf(bounds, 2 * bounds.length);
                positions = Arrays.copyOf(positions, 2 * positions.length);
                records = Arrays.copyOf(records, 2 * records.length);
            }
            if (bytes.length - end() < length) {
                bytes = Arrays.copyOf(bytes, Math.max(Math.addExact(end(), length), 2 * bytes.length));
            }
        }

        /** Returns whether the record of one of these rejects, in some order, is also that of an earlier one. */
        private boolean containsRecord(int[] order, int first, int index) {
            for (int i = first; i < index; i++) {
                if (Arrays.equals(
                        bytes,
                        recordAt(order[i]),
                        bounds[order[i] + 1],
                        bytes,
                        recordAt(order[index]),
                        bounds[order[index] + 1])) {
                    return true;
                }
            }
            return false;
        }

        /** Returns the offset of the rejected record, which is the last element of a reject. */
        private int recordAt(int index) {
            return bounds[index + 1] - records[index];
        }

        private void copy(Rejects from, int index) {
            int length = from.bounds[index + 1] - from.bounds[index];
            makeRoom(length);
            System.arraycopy(from.bytes, from.bounds[index], bytes, end(), length);
            ended(from.positions[index], end() + length, from.records[index]);
        }

        private void ended(long position, int end, int recordLength) {
            records[count] = recordLength;
            positions[count++] = position;
            bounds[count] = end;
        }

        private void clear() {
            count = 0;
            if (bytes.length > RETAINED_BYTES) {
                bytes = new byte[FIRST_BYTES];
            }
        }
    }

    /** Adds a record of a batch. */
    public void add(RecordBatch batch, int ordinal, RejectReason reason) {
        add(batch.position(ordinal), reason, batch.bytes(), batch.offset(ordinal), batch.length(ordinal));
    }

    /**
     * Adds a record with the current time.
     *
     * @param position in the feed, or {@link RecordBatch#NO_POSITION}
     * @param bytes copied from {@code offset} on, {@code length} of them, but at most {@value Reject#MAX_BYTES}
     */
    public void add(long position, RejectReason reason, byte[] bytes, int offset, int length) {
        byte[] detail = reason.detail().getBytes(StandardCharsets.UTF_8);
        int detailLength = cut(detail);
        int copiedLength = Math.min(length, MAX_BYTES);
        held.makeRoom(HEADER_LENGTH + 3 * ELEMENT_HEADER_LENGTH + Long.BYTES + detailLength + copiedLength);
        byte[] into = held.bytes;
        int at = held.end();
        RawBytes.putLong(into, at + TIME_AT, System.currentTimeMillis());
        into[at + KIND_AT] = Reject.code(reason.kind());
        RawBytes.putInt(into, at + LENGTH_AT, length);
        at += HEADER_LENGTH;
        if (position != RecordBatch.NO_POSITION) {
            at = element(into, at, POSITION, Long.BYTES);
            RawBytes.putLong(into, at, position);
            at += Long.BYTES;
        }
        at = element(into, at, DETAIL, detailLength);
        System.arraycopy(detail, 0, into, at, detailLength);
        at = element(into, at + detailLength, RECORD, copiedLength);
        System.arraycopy(bytes, offset, into, at, copiedLength);
        held.ended(position, at + copiedLength, copiedLength);
    }

    private static int element(byte[] into, int at, int tag, int length) {
        into[at] = (byte) tag;
        RawBytes.putShort(into, at + VALUE_LENGTH_AT, (short) length);
        return at + ELEMENT_HEADER_LENGTH;
    }

    /** Returns the number of bytes of a detail to store: whole characters. */
    private static int cut(byte[] utf8) {
        int end = Math.min(utf8.length, MAX_DETAIL);
        while (end < utf8.length && (utf8[end] & 0xC0) == 0x80) {
            end--;
        }
        return end;
    }

    /**
     * Takes the rejects that can be stored: of a feed with positions those before the position, else those without one.
     * A record that was rejected twice, for example by two regions, is taken once.
     *
     * @param covered position up to which the feed has been processed, or {@link RecordBatch#NO_POSITION}
     * @return rejects in the order of the feed; valid until the next call
     */
    public RecordBatch take(long covered) {
        ready.clear();
        if (isInOrderBefore(covered)) {
            Rejects all = held;
            held = ready;
            ready = all;
        } else {
            split(covered);
        }
        return batch(covered);
    }

    /**
     * Returns the rejects behind the position up to which the feed has been processed, in the order of the feed. They
     * are not removed.
     */
    public RecordBatch uncovered() {
        ready.clear();
        sorted(index -> held.positions[index] != RecordBatch.NO_POSITION).forEach(index -> ready.copy(held, index));
        return batch(RecordBatch.NO_POSITION);
    }

    /** Discards all rejects. */
    public void clear() {
        held.clear();
    }

    private boolean isInOrderBefore(long covered) {
        long last = RecordBatch.NO_POSITION;
        for (int i = 0; i < held.count; i++) {
            long position = held.positions[i];
            if (!isBefore(position, covered) || (covered != RecordBatch.NO_POSITION && position <= last)) {
                return false;
            }
            last = position;
        }
        return true;
    }

    private static boolean isBefore(long position, long covered) {
        return covered == RecordBatch.NO_POSITION
                ? position == RecordBatch.NO_POSITION
                : position != RecordBatch.NO_POSITION && position < covered;
    }

    private void split(long covered) {
        int[] order = sorted(index -> isBefore(held.positions[index], covered)).toArray();
        for (int i = 0, first = 0; i < order.length; i++) {
            long position = held.positions[order[i]];
            if (position == RecordBatch.NO_POSITION || position != held.positions[order[first]]) {
                first = i;
            }
            if (!held.containsRecord(order, first, i)) {
                ready.copy(held, order[i]);
            }
        }
        rest.clear();
        for (int index = 0; index < held.count; index++) {
            if (!isBefore(held.positions[index], covered)) {
                rest.copy(held, index);
            }
        }
        Rejects former = held;
        held = rest;
        rest = former;
    }

    private IntStream sorted(IntPredicate wanted) {
        return IntStream.range(0, held.count)
                .filter(wanted)
                .boxed()
                .sorted(Comparator.comparingLong(index -> held.positions[index]))
                .mapToInt(Integer::intValue);
    }

    private RecordBatch batch(long covered) {
        if (covered == RecordBatch.NO_POSITION) {
            taken.fill(ready.bytes, ready.bounds, ready.count, RecordBatch.NO_POSITION);
        } else {
            ready.positions[ready.count] = covered;
            taken.fill(ready.bytes, ready.bounds, ready.count, ready.positions);
        }
        if (finder != null) {
            finder.admit(taken, RejectBatch::unreadable);
        }
        return taken;
    }

    private static void unreadable(RecordBatch batch, int ordinal, RejectReason reason) {
        throw new IllegalStateException("A reject can't be read: " + reason.detail());
    }
}
