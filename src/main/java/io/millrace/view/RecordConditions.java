package io.millrace.view;

import io.millrace.codec.Admission;
import io.millrace.codec.RecordBatch;
import io.millrace.codec.check.ConditionChecks;
import io.millrace.codec.layout.LayoutCodecs;
import io.millrace.codec.record.LayoutCodec;
import io.millrace.schema.Schema;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/** Checks single records against the conditions of their schema. Thread-safe. */
final class RecordConditions {

    private final Schema schema;
    private final ConditionChecks checks;

    /** Reused by the next call, unless another one uses it. */
    private final AtomicReference<Buffers> idle = new AtomicReference<>();

    RecordConditions(Schema schema) {
        this.schema = schema;
        this.checks = ConditionChecks.of(schema);
    }

    /** What reads a record; belongs to one call at a time. */
    private record Buffers(RecordBatch batch, LayoutCodec codec, Admission finder) {

        static Buffers of(Schema schema) {
            LayoutCodec codec = LayoutCodecs.of(schema);
            return new Buffers(new RecordBatch(schema), codec, codec.finder());
        }
    }

    /**
     * Returns the violations of conditions.
     *
     * @throws IllegalArgumentException if the record is malformed
     */
    List<Violation> violations(byte[] record) {
        Buffers reused = idle.getAndSet(null);
        Buffers buffers = reused == null ? Buffers.of(schema) : reused;
        RecordBatch batch = buffers.batch;
        buffers.codec.show(batch, record, 0, record.length);
        List<Violation> found = new ArrayList<>();
        buffers.finder.admit(batch, (_, _, reason) -> {
            throw new IllegalArgumentException(reason.detail());
        });
        checks.select(batch);
        if (batch.selected() == 0) {
            checks.violations(batch, 0)
                    .forEach(violated -> found.add(new Violation(violated.path(), null, violated.reason())));
        }
        idle.set(buffers);
        return found;
    }
}
