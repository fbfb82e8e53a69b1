package io.millrace.codec.tagged;

import io.millrace.codec.Admission;
import io.millrace.codec.Counter;
import io.millrace.codec.RecordBatch;
import io.millrace.codec.RejectReason;
import io.millrace.codec.RejectSink;
import io.millrace.codec.bytecode.FinderCache;
import io.millrace.schema.RecordLayout;
import io.millrace.schema.Schema;
import org.jspecify.annotations.Nullable;

/**
 * Reads the fields of tagged records: one pass over the elements of a record writes the fields of the schema's row,
 * which {@link Schema#project} selects.
 *
 * <p>Missing fields are absent. A value that is invalid for its field's type is absent too, and counted: a malformed
 * value must not drop a packet (RFC 6929, 2.8). A record is rejected if its outermost elements don't end where the
 * record ends, if a required field is missing, or if it is {@linkplain RecordLayout#MAX_VARYING_LENGTH too long}.
 *
 * <p>Generated code reads the records, see {@link TaggedFinderClass}. A record to reject is read again by a
 * {@link TaggedPlanReader}, which reports the reason.
 *
 * <p>Not thread-safe; allocates only for rejects.
 */
public final class TaggedFinder implements Admission {

    private static final FinderCache<GeneratedTaggedFinder> GENERATED = new FinderCache<>();

    private final Counter malformed = new Counter();
    private final TaggedPlanReader reader;
    private final @Nullable GeneratedTaggedFinder generated;

    private TaggedFinder(Plan plan, @Nullable GeneratedTaggedFinder generated) {
        this.reader = new TaggedPlanReader(plan, malformed);
        this.generated = generated;
    }

    /**
     * Returns the finder for records of a schema.
     *
     * @param schema schema of the tagged layout
     */
    public static TaggedFinder of(Schema schema) {
        Plan plan = TaggedPlanBuilder.of(schema, Slots::of);
        return new TaggedFinder(plan, GENERATED.get(schema, false, () -> TaggedFinderClass.generate(plan)));
    }

    /**
     * Returns a finder that only follows the plan.
     *
     * @param slots creates the slot of each field
     */
    static TaggedFinder interpreted(Schema schema, TaggedPlanBuilder.SlotMaker slots) {
        return new TaggedFinder(TaggedPlanBuilder.of(schema, slots), null);
    }

    /** Returns the generated code; null if the plan is too large for it. */
    @Nullable
    GeneratedTaggedFinder generated() {
        return generated;
    }

    /** Returns the counter of values that were invalid for their field's type. */
    public Counter malformed() {
        return malformed;
    }

    @Override
    public void admit(RecordBatch batch, RejectSink rejects) {
        int[] selection = batch.selection();
        byte[] bytes = batch.bytes();
        byte[] rows = batch.added();
        int remaining = 0;
        for (int i = 0; i < batch.selected(); i++) {
            int ordinal = selection[i];
            int start = batch.offset(ordinal);
            int row = batch.addedOffset(ordinal);
            String fault = find(bytes, start, start + batch.length(ordinal), rows, row);
            if (fault == null) {
                selection[remaining++] = ordinal;
            } else {
                rejects.reject(batch, ordinal, new RejectReason(RejectReason.Kind.INVALID_VALUE, fault));
            }
        }
        batch.select(remaining);
    }

    /**
     * Writes the fields of a record to a row.
     *
     * @param start offset of the record
     * @param end offset past the record
     * @param at offset of the row in {@code row}
     * @return why the record cannot be read, or null
     */
    public @Nullable String find(byte[] bytes, int start, int end, byte[] row, int at) {
        if (generated != null) {
            int invalid = generated.find(bytes, start, end, row, at);
            if (invalid != GeneratedTaggedFinder.UNEXPECTED) {
                if (invalid > 0) {
                    malformed.add(invalid);
                }
                return null;
            }
        }
        return reader.find(bytes, start, end, row, at);
    }
}
