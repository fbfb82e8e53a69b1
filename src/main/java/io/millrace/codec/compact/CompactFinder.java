package io.millrace.codec.compact;

import io.millrace.codec.Admission;
import io.millrace.codec.ChildRows;
import io.millrace.codec.RecordBatch;
import io.millrace.codec.RejectReason;
import io.millrace.codec.RejectSink;
import io.millrace.codec.bytecode.FinderCache;
import io.millrace.schema.CompactLayout;
import io.millrace.schema.Schema;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reads the fields of compact records: one pass over a record writes its single values to the row of the schema, and
 * each element of a repeating part to a row of its own. {@link Schema#project} selects both.
 *
 * <p>A record is rejected if a part of it ends outside of what contains it, or if a value is invalid for its field. An
 * instance for admission checks all members; another one checks only what it reads, and stops after the last wanted
 * member of each group.
 *
 * <p>Generated code reads the records, see {@link FinderClass}. If it finds anything unexpected in a record, the record
 * is read again by a {@link PlanReader}, which reports what is malformed.
 *
 * <p>Never reads outside the record. Not thread-safe; allocates for rejects, and to grow the rows of elements.
 */
public final class CompactFinder implements Admission {

    /** Maximum number of bytes that the rows of the elements of one record take. */
    public static final int MAX_ROW_BYTES = 1 << 26;

    private static final FinderCache<GeneratedFinder> GENERATED = new FinderCache<>();

    private final Schema schema;
    private final GroupPlan root;
    private final ElementRows elements;
    private final PlanReader reader;
    private final @Nullable GeneratedFinder generated;

    private CompactFinder(Schema schema, FinderUse use, boolean generate) {
        this.schema = schema;
        this.root = PlanBuilder.of(schema, use);
        this.elements = new ElementRows(schema.groups());
        this.reader = new PlanReader(root, use.admission(), elements);
        this.generated =
                generate ? GENERATED.get(schema, use, () -> FinderClass.generate(root, use.admission())) : null;
    }

    /**
     * Returns a finder that checks records completely.
     *
     * @param schema schema of the compact layout
     */
    public static CompactFinder admission(Schema schema) {
        return new CompactFinder(schema, FinderUse.ADMISSION, true);
    }

    /**
     * Returns a finder for records that were admitted before.
     *
     * @param schema schema of the compact layout
     */
    public static CompactFinder of(Schema schema) {
        return new CompactFinder(schema, FinderUse.WANTED, true);
    }

    /**
     * Returns a finder for records that were admitted before, which defers their elements. The elements are found in a
     * second pass over the records that are still selected; that pass goes over their single values again.
     *
     * @param schema schema of the compact layout
     */
    static Admission deferring(Schema schema) {
        if (schema.groups().isEmpty() || schema.foundLength() == 0) {
            return of(schema);
        }
        CompactFinder values = new CompactFinder(schema, FinderUse.VALUES, true);
        CompactFinder elements = new CompactFinder(schema, FinderUse.ELEMENTS, true);
        return (batch, rejects) -> {
            values.admit(batch, rejects);
            batch.elements().defer(elements);
        };
    }

    /** Returns the memory of an element of a repeating part in bytes: its row, and the bounds of each list in it. */
    public static int rowBytes(Schema schema, int group) {
        return ElementRows.rowBytes(schema.groups(), group);
    }

    /** Returns a finder that only follows the plan, as a reference for tests. */
    static CompactFinder interpreted(Schema schema, boolean admission) {
        return new CompactFinder(schema, admission ? FinderUse.ADMISSION : FinderUse.WANTED, false);
    }

    /** Returns the generated code; null if the plan is too large for it. */
    @Nullable
    GeneratedFinder generated() {
        return generated;
    }

    @Override
    public void admit(RecordBatch batch, RejectSink rejects) {
        int[] selection = batch.selection();
        List<ChildRows> children = batch.childRows();
        children.forEach(ChildRows::clear);
        elements.beginBatch(batch.selected());
        int remaining = 0;
        for (int i = 0; i < batch.selected(); i++) {
            int ordinal = selection[i];
            int from = batch.offset(ordinal);
            try {
                find(
                        batch.bytes(),
                        from,
                        from + batch.length(ordinal),
                        batch.added(),
                        batch.addedOffset(ordinal),
                        children,
                        ordinal);
                selection[remaining++] = ordinal;
            } catch (MalformedRecordException e) {
                rejects.reject(
                        batch,
                        ordinal,
                        new RejectReason(RejectReason.Kind.INVALID_VALUE, Objects.requireNonNull(e.getMessage())));
            }
        }
        batch.select(remaining);
        for (int i = 0; i < children.size(); i++) {
            int parent = schema.groups().get(i).parent();
            children.get(i)
                    .reach(parent < 0 ? batch.count() : children.get(parent).count());
        }
    }

    /**
     * Writes a record to rows.
     *
     * @param from offset of the record
     * @param end offset past the record
     * @param row receives the single values
     * @param rowAt offset of the row
     * @param children rows of the repeating parts, in the order of {@link Schema#groups}; the record's elements are
     *     added
     * @param ordinal index of the record, of which the elements are children
     * @throws MalformedRecordException if the record is malformed
     */
    void find(byte[] record, int from, int end, byte[] row, int rowAt, List<ChildRows> children, int ordinal) {
        if (end - from > CompactLayout.MAX_LENGTH) {
            throw new MalformedRecordException("Invalid length of the record: " + (end - from)
                    + " bytes. A record has at most " + CompactLayout.MAX_LENGTH + " bytes.");
        }
        elements.beginRecord(children);
        if (generated != null) {
            if (generated.find(record, from, end, row, rowAt, elements, ordinal)) {
                return;
            }
            elements.rewind();
        }
        System.arraycopy(root.blank(), 0, row, rowAt, root.blank().length);
        try {
            reader.read(record, from, end, row, rowAt, ordinal);
        } catch (MalformedRecordException e) {
            elements.rewind();
            throw e;
        }
    }
}
