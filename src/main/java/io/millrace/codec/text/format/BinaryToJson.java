package io.millrace.codec.text.format;

import io.millrace.codec.Admission;
import io.millrace.codec.RecordBatch;
import io.millrace.codec.check.ConditionChecks;
import io.millrace.codec.json.CompactToJson;
import io.millrace.codec.json.JsonForm;
import io.millrace.codec.json.JsonRecordException;
import io.millrace.codec.layout.LayoutCodecs;
import io.millrace.codec.record.LayoutCodec;
import io.millrace.schema.Schema;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Checks compact records and writes them as JSON lines, from byte to byte without rows. Not thread-safe. */
final class BinaryToJson implements BinarySink {

    private final CompactToJson records;
    private final JsonLines lines;
    private final @Nullable Conditions conditions;

    BinaryToJson(Schema schema, OutputStream out) {
        records = new CompactToJson(schema, JsonForm.FILE);
        lines = new JsonLines(out);
        ConditionChecks checks = ConditionChecks.of(schema.base());
        conditions = checks.isEmpty() ? null : Conditions.of(schema.base(), checks);
    }

    @Override
    public List<String> write(byte[] bytes, int length) throws IOException {
        int before = lines.json().length();
        try {
            records.write(bytes, 0, length, lines.json());
        } catch (JsonRecordException e) {
            return e.reasons();
        }
        List<String> violations = conditions == null ? List.of() : conditions.violations(bytes, length);
        if (violations.isEmpty()) {
            lines.end();
        } else {
            lines.json().truncate(before);
        }
        return violations;
    }

    /** Writes what is buffered to the output. */
    void flush() throws IOException {
        lines.flush();
    }

    /** The conditions of a schema, with rows of the fields that they read. */
    private record Conditions(ConditionChecks checks, RecordBatch batch, LayoutCodec layout, Admission finder) {

        static Conditions of(Schema whole, ConditionChecks all) {
            Schema read = whole.project(all.reads().collect(Collectors.toSet()));
            LayoutCodec layout = LayoutCodecs.of(read);
            return new Conditions(ConditionChecks.of(read), new RecordBatch(read), layout, layout.finder());
        }

        /** @param bytes a record that is not malformed */
        List<String> violations(byte[] bytes, int length) {
            layout.show(batch, bytes, 0, length);
            List<String> reasons = new ArrayList<>();
            finder.admit(batch, (_, _, reason) -> reasons.add(reason.detail())); // too many elements for rows
            if (!reasons.isEmpty()) {
                return reasons;
            }
            checks.select(batch);
            return batch.selected() > 0
                    ? List.of()
                    : checks.violations(batch, 0).stream()
                            .map(ConditionChecks.Violated::toString)
                            .toList();
        }
    }
}
