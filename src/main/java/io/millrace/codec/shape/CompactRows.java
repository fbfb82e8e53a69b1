package io.millrace.codec.shape;

import io.millrace.codec.ChildRows;
import io.millrace.codec.RecordBatch;
import io.millrace.codec.compact.CompactCodec;
import io.millrace.codec.compact.CompactEncoder;
import io.millrace.codec.shape.Shape.ListMember;
import io.millrace.codec.shape.Shape.Scope;
import io.millrace.schema.RepeatedGroup;
import io.millrace.schema.Schema;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/** Reads compact records to rows that can be changed, and writes records from such rows. Thread-safe. */
public final class CompactRows {

    /** Maximum number of elements of a record that is edited, each of which takes about 100 bytes. */
    private static final int MAX_ELEMENTS = 1 << 20;

    private final Schema schema;
    private final Scope scope;
    private final AtomicReference<CompactEncoder> idleEncoder = new AtomicReference<>();

    public CompactRows(Schema schema, Scope scope) {
        this.schema = schema;
        this.scope = scope;
    }

    /**
     * Returns the rows of a record.
     *
     * @throws IllegalArgumentException if the record is malformed
     */
    public RowNode read(byte[] record) {
        RecordBatch batch = new RecordBatch(schema);
        CompactCodec codec = new CompactCodec(schema);
        codec.show(batch, record, 0, record.length);
        codec.admission().admit(batch, (_, _, reason) -> {
            throw new IllegalArgumentException(reason.detail());
        });
        int elements = batch.childRows().stream().mapToInt(ChildRows::count).sum();
        if (elements > MAX_ELEMENTS) {
            throw new IllegalArgumentException(
                    "Too many elements to edit: " + elements + ". A record has at most " + MAX_ELEMENTS + ".");
        }
        int at = batch.addedOffset(0);
        byte[] row = Arrays.copyOfRange(batch.added(), at, at + schema.recordLength());
        return node(row, scope, 0, batch.childRows());
    }

    private static RowNode node(byte[] row, Scope scope, int parent, List<ChildRows> children) {
        RowNode node = RowNode.of(row, scope);
        for (ListMember list : scope.lists) {
            ChildRows rows = children.get(list.groupIndex());
            for (int i = rows.first(parent); i < rows.end(parent); i++) {
                int from = i * rows.rowLength();
                byte[] element = Arrays.copyOfRange(rows.rows(), from, from + rows.rowLength());
                node.lists().get(list.listIndex()).add(node(element, list.shape().scope, i, children));
            }
        }
        return node;
    }

    /** Returns the bytes of a record. */
    public byte[] write(RowNode record) {
        List<ChildRows> children = schema.groups().stream()
                .map(RepeatedGroup::rowLength)
                .map(ChildRows::new)
                .toList();
        add(record, scope, 0, children);
        CompactEncoder encoder = idleEncoder.getAndSet(null);
        if (encoder == null) {
            encoder = new CompactEncoder(schema);
        }
        encoder.clear();
        encoder.encode(record.row(), 0, children, 0);
        byte[] bytes = encoder.toBytes();
        idleEncoder.set(encoder);
        return bytes;
    }

    private static void add(RowNode node, Scope scope, int parent, List<ChildRows> children) {
        for (ListMember list : scope.lists) {
            ChildRows rows = children.get(list.groupIndex());
            rows.begin(parent);
            for (RowNode element : node.lists().get(list.listIndex())) {
                int index = rows.add(parent, element.row());
                add(element, list.shape().scope, index, children);
            }
        }
    }
}
