package io.millrace.codec.tagged;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.fuzz.Mutations;
import io.millrace.schema.Schema;
import io.millrace.schema.yaml.SchemaReader;
import io.millrace.schema.yaml.Schemas;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Generated code finds the same as the plan that it was generated from, and records are rejected for the same reason:
 * mutated real packets, and mutated records of random schemas.
 *
 * <p>{@code -Dmillrace.mutations=100000000} reads so many records. Prints their number and rate.
 */
class GeneratedTaggedFinderTest {

    private static final long MUTATIONS = Long.getLong("millrace.mutations", 100_000);
    private static final long SEED = Long.getLong("millrace.mutations.seed", 34);
    private static final int RECORDS_OF_A_SCHEMA = 2_000;
    private static final int MARGIN = 7;
    private static final Schema ACCOUNTING = Schemas.builtIn().get("radius-accounting");
    private static final Set<String> ISTANBUL =
            Set.of("rat", "eci", "ci", "sac", "inputOctets", "inputGigawords", "terminateCause", "time", "msisdn");

    /** All reasons for which a record is rejected. */
    private static final Pattern REASON = Pattern.compile("Truncated record: \\d+ bytes\\. Its header has \\d+\\."
            + "|Invalid length of the record: \\d+ bytes\\. A record has at most 65535 bytes\\."
            + "|Invalid length of the element at byte \\d+ of the record: it ends after the record's \\d+ bytes\\."
            + "|Missing or invalid value of '\\S+'\\. The field is not optional\\.");

    private long read;
    private long rejected;
    private long malformed;

    /** Both finders of a schema, and their rows, which contain bytes of earlier records. */
    private final class Pair {
        private final TaggedFinder generated;
        private final TaggedFinder plan;
        private final byte[] row;
        private final byte[] planRow;

        Pair(Schema schema) {
            generated = TaggedFinder.of(schema);
            plan = TaggedFinder.interpreted(schema, Slots::of);
            row = new byte[schema.foundLength() + 2 * MARGIN];
            planRow = new byte[row.length];
            assertThat(generated.generated()).isNotNull();
        }

        void compare(byte[] record) {
            byte[] bytes = new byte[MARGIN + record.length + MARGIN];
            System.arraycopy(record, 0, bytes, MARGIN, record.length);
            long before = plan.malformed().get();
            String reason = generated.find(bytes, MARGIN, MARGIN + record.length, row, MARGIN);
            String planReason = plan.find(bytes, MARGIN, MARGIN + record.length, planRow, MARGIN);
            boolean same = Objects.equals(reason, planReason)
                    && generated.malformed().get() == plan.malformed().get()
                    && Arrays.equals(row, planRow)
                    && (reason == null || REASON.matcher(reason).matches());
            if (!same) {
                throw new AssertionError(reason + " / " + planReason + " malformed="
                        + generated.malformed().get() + "/" + plan.malformed().get() + " for "
                        + HexFormat.of().formatHex(record) + "\n" + Arrays.toString(row) + "\n"
                        + Arrays.toString(planRow));
            }
            read++;
            rejected += reason == null ? 0 : 1;
            malformed += plan.malformed().get() - before;
        }
    }

    @Test
    void shouldFindWhatThePlanFindsInRealPackets() {
        List<byte[]> packets = packets();
        List<Pair> pairs = List.of(new Pair(ACCOUNTING), new Pair(ACCOUNTING.project(ISTANBUL)));
        for (byte[] packet : packets) {
            for (int length = 0; length <= packet.length; length++) {
                byte[] truncated = Arrays.copyOf(packet, length);
                pairs.forEach(pair -> pair.compare(truncated));
            }
        }
        Mutations mutations = new Mutations(SEED, packets);
        long started = System.nanoTime();
        for (long i = 0; i < MUTATIONS / 4; i++) {
            pairs.get((int) i & 1).compare(mutations.next());
        }
        report("real packets", started);
    }

    @Test
    void shouldFindWhatThePlanFindsInRecordsOfRandomSchemas() {
        Random random = new Random(SEED);
        long started = System.nanoTime();
        while (read < MUTATIONS - MUTATIONS / 4) {
            TaggedSamples samples = new TaggedSamples(random);
            Schema schema = samples.schema();
            Set<String> wanted = schema.fields().stream()
                    .map(field -> field.name())
                    .filter(_ -> random.nextInt(3) > 0)
                    .collect(Collectors.toSet());
            Pair pair = new Pair(random.nextBoolean() ? schema : schema.project(wanted));
            List<byte[]> records =
                    List.of(samples.record(schema), samples.record(schema), samples.record(schema), new byte[4]);
            records.forEach(pair::compare);
            Mutations mutations = new Mutations(random.nextLong(), records);
            for (int i = 0; i < RECORDS_OF_A_SCHEMA; i++) {
                pair.compare(i % 8 == 0 ? samples.record(schema) : mutations.next());
            }
        }
        report("random schemas", started);
    }

    private void report(String inputs, long started) {
        System.out.printf(
                "%s: records=%d perSecond=%d rejected=%d malformedValues=%d%n",
                inputs, read, read * 1_000_000_000L / Math.max(1, System.nanoTime() - started), rejected, malformed);
        assertThat(rejected).isPositive().isLessThan(read);
        assertThat(malformed).isPositive();
    }

    @Test
    void shouldGenerateTheCodeOfARowOnce() {
        Schema less = ACCOUNTING.project(ISTANBUL);
        @Nullable
        GeneratedTaggedFinder generated =
                TaggedFinder.of(ACCOUNTING.project(ISTANBUL)).generated();
        assertThat(generated)
                .isNotNull()
                .isSameAs(TaggedFinder.of(less).generated())
                .isNotSameAs(TaggedFinder.of(ACCOUNTING).generated());
    }

    @Test
    void shouldReadRecordsOfMoreFieldsThanFitInAMethod() {
        StringBuilder text = new StringBuilder(
                "schema: many\nlayout: tagged\nelements: { tag: 2, length: 1, counts: all }\nfields:\n");
        for (int i = 0; i < 300; i++) {
            text.append("  - { name: f")
                    .append(i)
                    .append(", type: u8, tag: ")
                    .append(i)
                    .append(" }\n");
        }
        Schema schema = SchemaReader.read("many.yml", text.toString().getBytes(StandardCharsets.UTF_8));
        TaggedFinder finder = TaggedFinder.of(schema);
        byte[] row = new byte[schema.foundLength()];
        byte[] record = {1, 1, 4, 9};

        assertThat(finder.generated()).isNull();
        assertThat(finder.find(record, 0, record.length, row, 0)).isNull();
        assertThat(row[8 * 257 + 7]).isEqualTo((byte) 9);
    }

    /** Returns the payloads of real captures, {@code pcap/README.md} says which. */
    private static List<byte[]> packets() {
        try (InputStream in = Objects.requireNonNull(
                GeneratedTaggedFinderTest.class.getResourceAsStream("/io/millrace/feed/pcap/tshark.tsv"))) {
            List<String> lines = new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .toList();
            int column = Arrays.asList(lines.getFirst().split("\t", -1)).indexOf("udp.payload");
            return lines.stream()
                    .skip(1)
                    .map(line -> HexFormat.of().parseHex(line.split("\t", -1)[column]))
                    .toList();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
