package io.millrace.simulation;

import io.millrace.codec.RecordBatch;
import io.millrace.codec.json.JsonToCompact;
import io.millrace.codec.layout.LayoutCodecs;
import io.millrace.pipeline.step.StepDefinition;
import io.millrace.pipeline.step.set.SetDefinition;
import io.millrace.pipeline.step.unnest.UnnestDefinition;
import io.millrace.schema.Schema;
import io.millrace.schema.yaml.SchemaReader;
import io.millrace.store.Trades;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** Compact records that have up to three parts, of which a step makes records. */
final class Parts {

    private static final String LIST = "parts";
    /** More than a record has. */
    private static final int MAX = 4;

    static final Schema SCHEMA = SchemaReader.read("parted-trade.yml", """
            schema: parted-trade
            layout: compact
            fields:
              - { name: id, type: i64 }
              - { name: side, type: enum, values: [Buy, Sell] }
              - { name: desk, type: string, length: 4 }
              - { name: parts, type: u8, repeat: many }
            """.getBytes(StandardCharsets.UTF_8));

    private static final int ID_AT = SCHEMA.fields().stream()
            .filter(field -> field.name().equals("id"))
            .findFirst()
            .orElseThrow()
            .offset();

    /** Encoded once, by their id. */
    private static final Map<Long, byte[]> RECORDS = new ConcurrentHashMap<>();

    private Parts() {}

    /** Steps that make records of the parts, each with an id of its own. */
    static List<StepDefinition> steps() {
        return List.of(
                new UnnestDefinition(LIST, List.of()),
                new SetDefinition(Map.of("id", "id * " + MAX + " + " + LIST + "_index")));
    }

    private static int count(long record) {
        return (int) (record % MAX);
    }

    /** Returns the ids of the records that are made of one. */
    static LongStream ids(long record) {
        return LongStream.range(record * MAX, record * MAX + count(record));
    }

    /** Returns the id of the record that one was made of. */
    static long record(long id) {
        return id / MAX;
    }

    /** Fills a batch with records that have the ids from one to another (exclusive). */
    static void fill(RecordBatch batch, long first, long end, long @Nullable [] positions) {
        int count = Math.toIntExact(end - first);
        int[] bounds = new int[count + 1];
        byte[] bytes = new byte[0];
        for (int i = 0; i < count; i++) {
            byte[] record = RECORDS.computeIfAbsent(first + i, Parts::encode);
            bytes = Arrays.copyOf(bytes, bounds[i] + record.length);
            System.arraycopy(record, 0, bytes, bounds[i], record.length);
            bounds[i + 1] = bytes.length;
        }
        if (positions == null) {
            batch.fill(bytes, bounds, count, RecordBatch.NO_POSITION);
        } else {
            batch.fill(bytes, bounds, count, positions);
        }
    }

    private static byte[] encode(long id) {
        String json = "{\"id\":%d,\"side\":\"%s\",\"desk\":\"%s\",\"parts\":%s}"
                .formatted(id, id % 2 == 0 ? "Buy" : "Sell", SharedKeys.of(id), Collections.nCopies(count(id), 1));
        byte[] text = json.getBytes(StandardCharsets.UTF_8);
        JsonToCompact compact = new JsonToCompact(SCHEMA);
        compact.append(text, 0, text.length);
        return Arrays.copyOf(compact.encoder().bytes(), compact.encoder().length());
    }

    /** Returns the id of an encoded record. */
    static long id(byte[] bytes, int from, int to) {
        RecordBatch batch = new RecordBatch(SCHEMA);
        LayoutCodecs.of(SCHEMA).show(batch, bytes, from, to);
        LayoutCodecs.of(SCHEMA).admission().admit(batch, (_, _, reason) -> {
            throw new AssertionError(reason.toString());
        });
        return Trades.id(batch.added(), batch.addedOffset(0) + ID_AT);
    }
}
