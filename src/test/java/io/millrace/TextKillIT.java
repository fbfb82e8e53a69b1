package io.millrace;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.nemesis.Kills;
import io.millrace.schema.Schema;
import io.millrace.schema.yaml.SchemaReader;
import io.millrace.store.Rejects;
import io.millrace.store.geode.GeodeStore;
import io.millrace.store.geode.cache.GeodeOptions;
import io.millrace.store.region.Layout;
import io.millrace.store.region.RegionDefinition;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.geode.cache.CacheFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The promise of the feeds of text, and of {@code unnest}: whatever is killed, whenever, each line is stored once, or
 * rejected once, and so are all elements of a record.
 */
@Tag("long")
class TextKillIT {

    private static final int REJECTED = 12_345;
    private static final int KILLS = Kills.count(1);
    private static final int LINES = 300_000;
    private static final int LONGEST_LIFE_MILLIS = 500;

    @TempDir
    Path folder;

    @Test
    void shouldStoreEachLineOnceWheneverItIsKilled() throws Exception {
        Schema payment = schema("payment", """
            schema: payment
            fields:
              - { name: id, type: u32 }
              - { name: note, type: string, length: 4 }
            """);
        String good = ",\"\n,\"\"\"\n";
        write("payments.csv", "id,note\n", i -> i + (i == REJECTED ? ",\"too long\"\n" : good));
        runAndKill("payments", """
            millrace:
              schemas: .
              batch-records: 20
              regions:
                all: { layout: blocks, persistent: true, block-records: 100 }
                payments-rejected: { persistent: true }
              pipelines:
                payments:
                  feed: { csv: payments.csv }
                  schema: payment
                  steps:
                    - to: all
                  rejects: payments-rejected
            """);

        try (GeodeStore store = open(payment)) {
            assertThat(stored(8, 0)).isEqualTo(numbers(i -> i == REJECTED ? IntStream.empty() : IntStream.of(i)));
            store.open(Rejects.region("payments-rejected", true));
            assertThat(Rejects.of(store, "payments-rejected"))
                    .singleElement()
                    .satisfies(reject -> assertThat(reject.detail()).contains("note"));
        }
    }

    @Test
    void shouldStoreEachElementOnceWheneverItIsKilled() throws Exception {
        schema("order", """
            schema: order
            layout: compact
            fields:
              - { name: id, type: u32 }
              - name: items
                type: group
                repeat: many
                fields:
                  - { name: number, type: u32 }
            """);
        // Blocks end after 100 elements, so that some end among the elements of an order.
        write(
                "orders.jsonl",
                "",
                i -> elements(i)
                        .mapToObj(number -> "{\"number\":" + number + "}")
                        .collect(Collectors.joining(",", "{\"id\":" + i + ",\"items\":[", "]}\n")));
        runAndKill("orders", """
            millrace:
              schemas: .
              batch-records: 20
              regions:
                all: { layout: blocks, persistent: true, block-records: 100 }
              pipelines:
                orders:
                  feed: { json-lines: orders.jsonl }
                  schema: order
                  steps:
                    - unnest: { list: items }
                    - to: all
            """);

        Schema element = schema("element", """
            schema: element
            fields:
              - { name: id, type: u32 }
              - { name: items_index, type: u32 }
              - { name: items, type: group, fields: [{ name: number, type: u32 }] }
            """);
        try (GeodeStore _ = open(element)) {
            assertThat(stored(12, 8)).isEqualTo(numbers(TextKillIT::elements));
        }
    }

    private static IntStream elements(int order) {
        return IntStream.range(7 * order, 7 * order + order % 7);
    }

    private Schema schema(String name, String yaml) throws IOException {
        return SchemaReader.read(Files.writeString(folder.resolve(name + ".yml"), yaml));
    }

    private void write(String file, String head, IntFunction<String> line) throws IOException {
        Files.writeString(
                folder.resolve(file),
                IntStream.range(0, LINES).mapToObj(line).collect(Collectors.joining("", head, "")));
    }

    private void runAndKill(String pipeline, String configuration) throws Exception {
        Files.writeString(folder.resolve("config.yml"), configuration);
        Kills.onTheWay(folder, pipeline, KILLS, LONGEST_LIFE_MILLIS, Kills.seed());
        assertThat(MillraceProcess.run(folder, "run", "config.yml", "--server.port=0", "--exit-when-done"))
                .isZero();
    }

    private GeodeStore open(Schema schema) {
        GeodeStore store = new GeodeStore(GeodeOptions.inFolder(folder.resolve("data")));
        store.open(new RegionDefinition("all", Layout.BLOCKS, 0, true, schema, List.of(), 100));
        return store;
    }

    /** Returns the numbers in the blocks, read by hand as docs/reference/formats.md describes them. */
    private static BitSet stored(int recordLength, int at) {
        BitSet numbers = new BitSet();
        for (Object value : CacheFactory.getAnyInstance().getRegion("all").values()) {
            ByteBuffer block = ByteBuffer.wrap((byte[]) value);
            for (int i = 0; i < block.getInt(32); i++) {
                int number = block.getInt(88 + i * recordLength + at);
                assertThat(numbers.get(number)).as("stored twice: " + number).isFalse();
                numbers.set(number);
            }
        }
        return numbers;
    }

    private static BitSet numbers(IntFunction<IntStream> ofLine) {
        BitSet numbers = new BitSet();
        IntStream.range(0, LINES).mapToObj(ofLine).flatMapToInt(each -> each).forEach(numbers::set);
        return numbers;
    }
}
