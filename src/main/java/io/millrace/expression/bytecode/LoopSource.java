package io.millrace.expression.bytecode;

import io.millrace.codec.ChildRows;
import io.millrace.codec.RawBytes;
import io.millrace.codec.RecordBatch;
import io.millrace.codec.RejectReason;
import io.millrace.codec.RejectSink;
import io.millrace.expression.runtime.RecordException;
import io.millrace.expression.runtime.TextBytes;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.IntStorage;
import io.millrace.schema.RepeatedGroup;
import io.millrace.schema.Schema;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteOrder;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The source of a generated loop, which checks batches and describes rejects. Immutable; allocates only for a reject.
 *
 * @param schema the schema of the records that the loop can process
 * @param steps the expressions of the loop with the fields that they read
 */
public record LoopSource(Schema schema, List<Step> steps) {

    /**
     * An expression with what it reads.
     *
     * @param reads fields of records and of elements
     * @param groups paths of the repeating parts whose elements it counts or reads
     */
    public record Step(String expression, List<Field> reads, List<String> groups) {

        /** Creates a step that reads no repeating part. */
        public Step(String expression, List<Field> reads) {
            this(expression, reads, List.of());
        }
    }

    /** Refuses a batch that the loop would misread. */
    static void check(RecordBatch batch, LoopSource source) {
        Schema own = source.schema;
        Schema other = batch.schema();
        if (own != other
                && (own.baseLength() != other.baseLength()
                        || own.recordLength() > other.recordLength()
                        || (source.readsGroups() && !own.groups().equals(other.groups())))) {
            throw new IllegalArgumentException("Invalid schema '" + other + "' of the batch. Expression '"
                    + source.steps.getFirst().expression() + "' needs a schema that begins with the fields of '" + own
                    + "'.");
        }
    }

    /**
     * Passes a record to the sink with a description of the reason; rethrows an exception that the record did not
     * cause.
     */
    static void reject(
            RuntimeException fault, RecordBatch batch, int ordinal, RejectSink rejects, int step, LoopSource source) {
        RejectReason.Kind kind = switch (fault) {
            case RecordException recordException -> recordException.kind();
            case ArithmeticException _ -> RejectReason.Kind.EXPRESSION;
            default -> throw fault;
        };
        String problem =
                fault instanceof ArithmeticException ? "a result is too large for 64 bits" : fault.getMessage();
        Step at = source.steps.get(step);
        String values = Stream.concat(
                        at.reads().stream()
                                .filter(source::isInRecord)
                                .map(field -> field.name() + "=" + source.shown(field, batch, ordinal)),
                        source.schema.groups().stream()
                                .filter(group ->
                                        group.parent() < 0 && at.groups().contains(group.path()))
                                .map(group -> group.name() + "=" + source.elements(group, batch, ordinal)))
                .collect(Collectors.joining(", "));
        String beginning = kind == RejectReason.Kind.EXPRESSION ? "No result of '" : "Invalid value in '";
        String detail =
                beginning + at.expression() + "'" + (values.isEmpty() ? "" : " with " + values) + ": " + problem + ".";
        rejects.reject(batch, ordinal, new RejectReason(kind, detail));
    }

    private boolean readsGroups() {
        return steps.stream().anyMatch(step -> !step.groups().isEmpty());
    }

    /** Returns whether a field is in the record, and not in the elements of a part of it. */
    private boolean isInRecord(Field field) {
        return schema.field(field.name()) != null;
    }

    private String elements(RepeatedGroup group, RecordBatch batch, int ordinal) {
        ChildRows rows = batch.childRows().get(schema.groups().indexOf(group));
        int count = rows.end(ordinal) - rows.first(ordinal);
        return count + (count == 1 ? " element" : " elements");
    }

    private String shown(Field field, RecordBatch batch, int ordinal) {
        boolean added = schema.isAdded(field);
        byte[] bytes = added ? batch.added() : batch.bytes();
        int at = added
                ? batch.addedOffset(ordinal) + field.offset() - schema.baseLength()
                : batch.offset(ordinal) + field.offset();
        if (field.nullFlag() && bytes[at + field.type().bytes()] != 0) {
            return "absent";
        }
        return switch (field.type()) {
            case FieldType.Numbered numbered -> shown(field, numbered, RawBytes.get(bytes, at, numbered.storage()));
            case FieldType.FloatType(int width, var order) ->
                width == 4
                        ? Float.toString(Float.intBitsToFloat((int) RawBytes.get(bytes, at, word(4, order))))
                        : Double.toString(Double.longBitsToDouble(RawBytes.get(bytes, at, word(8, order))));
            case FieldType.StringType(int width, var charset, byte pad) ->
                new String(bytes, at, TextBytes.length(bytes, at, width, pad), charset);
            case FieldType.BytesType(int width) -> width + " bytes";
            case FieldType.IpType(int width) -> width + " bytes";
        };
    }

    private static IntStorage word(int width, ByteOrder order) {
        return IntStorage.of(width, true, order);
    }

    private static String shown(Field field, FieldType.Numbered type, long raw) {
        if (field.optional() && !field.nullFlag() && raw == field.nullRaw()) {
            return "absent";
        }
        if (type instanceof FieldType.EnumType(var ignoredStorage, var dictionary)) {
            String name = dictionary.name(raw);
            return name == null ? Long.toUnsignedString(raw) : "'" + name + "'";
        }
        String number = type.storage().signed() ? Long.toString(raw) : Long.toUnsignedString(raw);
        return type instanceof FieldType.DecimalType(var ignoredStorage, int scale)
                ? new BigDecimal(new BigInteger(number), scale).toPlainString()
                : number;
    }
}
