package io.millrace.output.kafka;

import io.millrace.codec.FieldCodec;
import io.millrace.codec.FieldCodecs;
import io.millrace.codec.RawBytes;
import io.millrace.codec.RecordBatch;
import io.millrace.codec.RejectSink;
import io.millrace.expression.BatchFilter;
import io.millrace.expression.BatchKeys;
import io.millrace.expression.BatchTexts;
import io.millrace.expression.ExpressionCompiler;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.Schema;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Computes the keys of messages: the UTF-8 bytes of a text, or of the text of another value as JSON and CSV have it. An
 * absent value has no key. Allocates the keys, and for numbers their texts. Not thread-safe.
 */
final class MessageKeys {

    private static final int MAX_UTF8_BYTES = 3;
    private static final byte PAD = 0;

    private final Schema schema;
    private final @Nullable BatchFilter present;
    private final Loop loop;
    private final RecordBatch keyed;

    /** Computes the keys of the selected records, all of which have one, into the elements of their ordinals. */
    @FunctionalInterface
    private interface Loop {
        void fill(RecordBatch batch, byte[] @Nullable [] keys, RejectSink rejects);
    }

    private MessageKeys(Schema schema, @Nullable BatchFilter present, Loop loop) {
        this.schema = schema;
        this.present = present;
        this.loop = loop;
        keyed = new RecordBatch(schema);
    }

    /**
     * Compiles an expression.
     *
     * @param schema schema of the batches
     * @throws io.millrace.expression.error.ExpressionException if it is invalid, or its value can't be a key
     */
    static MessageKeys of(Schema schema, String expression) {
        ExpressionCompiler compiler = new ExpressionCompiler(schema);
        FieldType type = compiler.resultType(expression);
        Loop loop = switch (type) {
            case FieldType.StringType text -> texts(compiler, expression, bytes(text));
            case FieldType.EnumType name -> texts(compiler, expression, bytes(name));
            case FieldType.IpType _ ->
                texts(compiler, expression, "ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255".length());
            default -> numbers(compiler, expression, type);
        };
        // The filter is for fields that can be absent only: others can't be compared with null.
        boolean optional = compiler.resultField("messageKey", expression).optional();
        return new MessageKeys(
                schema,
                optional ? compiler.filter("(" + expression + ") != null").loop() : null,
                loop);
    }

    private static int bytes(FieldType.StringType text) {
        return text.charset().equals(StandardCharsets.UTF_8) || text.charset().equals(StandardCharsets.US_ASCII)
                ? text.bytes()
                : text.bytes() * MAX_UTF8_BYTES;
    }

    private static int bytes(FieldType.EnumType name) {
        return name.dictionary().valuesByCode().values().stream()
                .mapToInt(value -> value.getBytes(StandardCharsets.UTF_8).length)
                .max()
                .orElse(1);
    }

    private static Loop texts(ExpressionCompiler compiler, String expression, int bytes) {
        int width = Math.max(1, bytes);
        BatchTexts texts = compiler.textKeys(expression, new FieldType.StringType(width, StandardCharsets.UTF_8, PAD))
                .loop();
        return (batch, keys, rejects) -> {
            byte[] found = new byte[batch.selected() * (width + 1)];
            texts.fill(batch, found, rejects);
            for (int i = 0; i < batch.selected(); i++) {
                int start = i * (width + 1);
                int end = start + width;
                while (end > start && found[end - 1] == PAD) {
                    end--;
                }
                keys[batch.selection()[i]] = Arrays.copyOfRange(found, start, end);
            }
        };
    }

    private static Loop numbers(ExpressionCompiler compiler, String expression, FieldType type) {
        BatchKeys numbers = compiler.bitKeys(expression).loop();
        if (compiler.isUnsigned(expression)) {
            return numbers(numbers, Long::toUnsignedString);
        }
        FieldType.Numbered numbered = (FieldType.Numbered) type;
        FieldCodec codec = FieldCodecs.of(Field.of("key", type, 0));
        byte[] cell = new byte[type.bytes()];
        return numbers(numbers, number -> {
            RawBytes.put(cell, 0, numbered.storage(), number);
            return codec.text(cell, 0);
        });
    }

    private static Loop numbers(BatchKeys numbers, java.util.function.LongFunction<String> text) {
        return (batch, keys, rejects) -> {
            long[] found = new long[batch.selected()];
            numbers.fill(batch, found, rejects);
            for (int i = 0; i < batch.selected(); i++) {
                keys[batch.selection()[i]] = text.apply(found[i]).getBytes(StandardCharsets.UTF_8);
            }
        };
    }

    /** Returns whether batches have the schema for which the expression was compiled. */
    boolean reads(Schema batches) {
        return schema == batches;
    }

    /**
     * Computes the keys of the selected records.
     *
     * @param rejects receives the records for which the expression has no result
     * @return the keys, by the ordinals of the records; null where it is absent
     */
    byte[] @Nullable [] of(RecordBatch batch, RejectSink rejects) {
        byte[] @Nullable [] keys = new byte[batch.count()][];
        keyed.share(batch);
        System.arraycopy(batch.selection(), 0, keyed.selection(), 0, batch.selected());
        keyed.select(batch.selected());
        if (present != null) {
            present.apply(keyed, rejects);
        }
        loop.fill(keyed, keys, rejects);
        return keys;
    }
}
