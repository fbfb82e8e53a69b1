package io.millrace.codec.compact.upgrade;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.millrace.TestBudget;
import io.millrace.codec.ChildRows;
import io.millrace.codec.compact.CompactEncoder;
import io.millrace.codec.compact.CompactMaps;
import io.millrace.codec.compact.CompactSamples;
import io.millrace.fuzz.Mutations;
import io.millrace.schema.CompactGroup;
import io.millrace.schema.CompactLayout;
import io.millrace.schema.CompactMember;
import io.millrace.schema.CompactValue;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.IntStorage;
import io.millrace.schema.Schema;
import io.millrace.schema.yaml.SchemaReader;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Records of random schemas, rewritten for random newer versions of them, have the values of the older version, which
 * plain Java maps say. {@code -Dmillrace.mutations=100000000} rewrites so many mutated records, in all processors.
 */
class CompactUpgradeTest {

    private static final long MUTATIONS = Long.getLong("millrace.mutations", 50_000);
    private static final long SEED = Long.getLong("millrace.mutations.seed", 38);
    private static final int RECORDS_OF_A_SCHEMA = 500;
    private static final int MARGIN = 5;

    private static final String REASONS = "(?s)Truncated record: .*ends outside of what contains it\\."
            + "|Unknown members of .*, at byte \\d+ of the record: .*"
            + "|Unexpected bytes after the last (?:member|element) of .*, at byte \\d+ of the record\\.";

    /** Two versions of a random schema, and records of the older one. */
    private record Versions(
            CompactMaps before,
            CompactMaps after,
            RandomEvolution evolution,
            CompactUpgrade upgrade,
            List<byte[]> records) {

        static Versions of(Random random) {
            CompactSamples samples = new CompactSamples(random);
            Schema from = samples.schema();
            List<byte[]> records = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                CompactEncoder encoder = new CompactEncoder(from);
                byte[] row = encoder.blank();
                List<ChildRows> children = from.groups().stream()
                        .map(group -> new ChildRows(group.rowLength()))
                        .toList();
                samples.fill(from, row, children, 0);
                encoder.encode(row, 0, children, 0);
                records.add(encoder.toBytes());
            }
            RandomEvolution evolution = new RandomEvolution(random, samples, from);
            CompactUpgrade upgrade = CompactUpgrade.of(
                    (CompactLayout) from.layout(),
                    (CompactLayout) evolution.schema().layout(),
                    evolution.renames);
            return new Versions(
                    new CompactMaps(from), new CompactMaps(evolution.schema()), evolution, upgrade, records);
        }
    }

    @Test
    void shouldKeepAllValuesThatTheNewerVersionHas() {
        int same = 0;
        int tries = TestBudget.of(4_000);
        for (long seed = SEED; seed < SEED + tries; seed++) {
            Versions versions = Versions.of(new Random(seed));
            UpgradeWriter writer = versions.upgrade.writer();
            for (byte[] record : versions.records) {
                int from = writer.length();
                Placed placed = Placed.of(record, (byte) 0xFF);
                writer.append(placed.bytes, placed.from, placed.end);
                byte[] upgraded = Arrays.copyOfRange(writer.bytes(), from, writer.length());
                Map<String, Object> expected =
                        versions.evolution.values(Objects.requireNonNull(versions.before.decode(record)));
                assertThat(versions.after.decode(upgraded)).as("seed %d", seed).isEqualTo(expected);
                if (versions.upgrade.sameBytes()) {
                    assertThat(upgraded).as("seed %d", seed).isEqualTo(record);
                }
                assertThat(versions.upgrade.upgrade(record, 0, record.length)).isEqualTo(upgraded);
            }
            same += versions.upgrade.sameBytes() ? 1 : 0;
        }
        assertThat(same).isBetween(tries / 20, tries / 2);
    }

    /** A record between other bytes. */
    private record Placed(byte[] bytes, int from, int end) {

        static Placed of(byte[] record, byte around) {
            byte[] bytes = new byte[record.length + 2 * MARGIN];
            Arrays.fill(bytes, around);
            System.arraycopy(record, 0, bytes, MARGIN, record.length);
            return new Placed(bytes, MARGIN, MARGIN + record.length);
        }
    }

    @Test
    void shouldUpgradeOrRefuseMutatedRecords() {
        LongAdder upgraded = new LongAdder();
        LongStream.range(0, MUTATIONS / RECORDS_OF_A_SCHEMA).parallel().forEach(schema -> {
            Random random = new Random(SEED + schema);
            Versions versions = Versions.of(random);
            Mutations mutations = new Mutations(random.nextLong(), versions.records);
            UpgradeWriter writer = versions.upgrade.writer();
            for (int i = 0; i < RECORDS_OF_A_SCHEMA; i++) {
                byte[] record = mutations.next();
                if (i % 2 == 0) {
                    record = versions.records.get(i % versions.records.size()).clone();
                    record[random.nextInt(record.length)] = (byte) random.nextInt();
                }
                try {
                    upgraded.add(check(versions, writer, record) ? 1 : 0);
                } catch (RuntimeException | AssertionError e) {
                    throw new AssertionError(
                            "Seed " + (SEED + schema) + ", record "
                                    + HexFormat.of().formatHex(record),
                            e);
                }
            }
        });
        assertThat(upgraded.sum()).isBetween(MUTATIONS / 10, MUTATIONS * 9 / 10);
    }

    /** Returns whether the record is valid and was upgraded. */
    private static boolean check(Versions versions, UpgradeWriter writer, byte[] record) {
        String one = upgrade(writer, Placed.of(record, (byte) 0xFF));
        String other = upgrade(writer, Placed.of(record, (byte) 0));
        assertThat(one).isEqualTo(other);
        Map<String, Object> values = versions.before.decode(record);
        if (values == null || one.startsWith("Unknown members of ")) {
            return false;
        }
        assertThat(versions.after.decode(HexFormat.of().parseHex(one))).isEqualTo(versions.evolution.values(values));
        return true;
    }

    /** Returns the upgraded record as hexadecimal digits, or why there is none. */
    private static String upgrade(UpgradeWriter writer, Placed placed) {
        writer.clear();
        try {
            writer.append(placed.bytes, placed.from, placed.end);
            return HexFormat.of().formatHex(writer.toBytes());
        } catch (IllegalArgumentException e) {
            assertThat(writer.length()).isZero();
            assertThat(e).hasMessageMatching(REASONS);
            return Objects.requireNonNull(e.getMessage());
        }
    }

    private static CompactLayout layout(String fields) {
        StringBuilder yaml = new StringBuilder("schema: t\nlayout: compact\nfields:\n");
        for (String field : fields.split(";", -1)) {
            yaml.append("  - { name: ").append(field.strip()).append(" }\n");
        }
        return (CompactLayout) SchemaReader.read("t.yml", yaml.toString().getBytes(StandardCharsets.UTF_8))
                .layout();
    }

    private static Map<String, String> renames(@Nullable String renames) {
        Map<String, String> formerByPath = new TreeMap<>();
        if (renames != null) {
            for (String rename : renames.split(" ", -1)) {
                int equals = rename.indexOf('=');
                formerByPath.put(rename.substring(0, equals), rename.substring(equals + 1));
            }
        }
        return formerByPath;
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        # removed
        a, type: u8; b, type: u16                   | b, type: u16                              |         | 00 05 8123       | 00 8123
        a, type: u8; b, type: u8, optional: true    | a, type: u8                               |         | 01 05 06         | 00 05
        # optional, reordered, new
        a, type: u8; b, type: boolean               | a, type: u8, optional: true; b, type: boolean |     | 01 05            | 03 05
        a, type: u8; b, type: boolean               | b, type: boolean, optional: true; a, type: u8 |     | 01 05            | 03 05
        a, type: u8; b, type: u16                   | b, type: u16; a, type: u8                 |         | 00 05 8123       | 00 8123 05
        b, type: u8                                 | a, type: u8, optional: true; b, type: u8, optional: true | | 00 05    | 02 05
        # numbers
        a, type: u16                                | a, type: i32                              |         | 00 8123          | 00 8246
        a, type: u8, repeat: 3                      | a, type: i16, repeat: 3                   |         | 01 03 02 05 40   | 01 04 02 0a 8080
        # texts
        a, type: string, length: 2                  | a, type: string, length: 3, frequent: [x] |         | 00 01 78         | 00 00 01 78
        # renamed
        a, type: u8; b, type: u8                    | b, type: u8; a, type: u8                  | a=b b=a | 00 05 06         | 00 05 06
        a, type: u8, repeat: 2; b, type: u8         | b, type: u8; c, type: u8, repeat: 2       | c[]=a[] | 01 02 01 05 06   | 01 06 02 01 05
        # groups
        p, type: group, fields: [{name: a, type: u8}, {name: b, type: u8}] | q, type: group, optional: true, fields: [{name: b, type: u8}] | q=p | 00 03 00 05 06 | 01 02 00 06
        p, type: group, repeat: 9, fields: [{name: a, type: u8}, {name: b, type: u8}] | q, type: group, repeat: 9, fields: [{name: c, type: u8}] | q[]=p[] q[].c=p[].b | 01 09 02 03 00 05 06 03 00 07 08 | 01 07 02 02 00 06 02 00 08
        """)
    void shouldRewrite(String from, String to, @Nullable String renames, String record, String expected) {
        CompactUpgrade upgrade = CompactUpgrade.of(layout(from), layout(to), renames(renames));
        byte[] bytes = HexFormat.of().parseHex(record.replace(" ", ""));
        assertThat(HexFormat.of().formatHex(upgrade.upgrade(bytes, 0, bytes.length)))
                .isEqualTo(expected.replace(" ", ""));
        assertThat(upgrade.sameBytes()).isEqualTo(record.equals(expected));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        a, type: u8                                        | b, type: u32; c, type: i8, optional: true | b=a
        a, type: i16                                       | a, type: i64                              |
        a, type: enum, values: [A, B]                    | a, type: enum, values: { 0: A, 1: C, 7: Heat } |
        a, type: string, length: 3                         | a, type: string, length: 5, charset: utf8 |
        a, type: string, length: 3, frequent: [x]          | a, type: string, length: 3, frequent: [x, y] |
        a, type: group, fields: [{name: b, type: u8}]      | a, type: group, fields: [{name: b, type: u8}, {name: c, type: date, optional: true}] |
        a, type: u8, repeat: 3                             | a, type: u16, repeat: 5                   |
        """)
    void shouldKeepBytes(String from, String to, @Nullable String renames) {
        assertThat(CompactUpgrade.of(layout(from), layout(to), renames(renames)).sameBytes())
                .isTrue();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
        a, type: u16               | a, type: u8                                  |     | 'a': Stored values can't be read as values of its type.
        a, type: u16               | a, type: i16                                 |     | 'a': Stored values can't be read as values of its type.
        a, type: i8                | a, type: u64                                 |     | 'a': Stored values can't be read as values of its type.
        a, type: f32               | a, type: f64                                 |     | 'a': Stored values can't be read as values of its type.
        a, type: decimal, scale: 2 | a, type: decimal, scale: 3               |     | 'a': Stored values can't be read as values of its type.
        a, type: instant, unit: s | a, type: instant, unit: ms                |     | 'a': Stored values can't be read as values of its type.
        a, type: string, length: 3 | a, type: string, length: 2                   |     | 'a': Stored values can't be read as values of its type.
        a, type: string, length: 3, charset: latin1 | a, type: string, length: 3, charset: utf8 | | 'a': Stored values can't be read as values of its type.
        a, type: string, length: 3, frequent: [x, y] | a, type: string, length: 3, frequent: [y, x] | | 'a': Stored values can't be read as values of its type.
        a, type: string, length: 3, frequent: [x, y] | a, type: string, length: 3 |     | 'a': Stored values can't be read as values of its type.
        a, type: bytes, length: 3  | a, type: bytes, length: 4                    |     | 'a': Stored values can't be read as values of its type.
        a, type: ipv4              | a, type: bytes, length: 4                    |     | 'a': Stored values can't be read as values of its type.
        a, type: u8                | a, type: u8, repeat: 3                       | a[]=a | 'a[]': It was a single value, and is a list of values.
        a, type: u8, repeat: 2     | a, type: group, repeat: 2, fields: [{name: b, type: u8}] | | 'a[]': It was a list of values, and is a list of groups.
        a, type: u8                | a, type: u8; b, type: u8                     |     | 'b': It is new and required, and stored records have no value.
        a, type: u8, optional: true | a, type: u8                                 |     | 'a': It is required, and stored records may lack it.
        a, type: u8                | b, type: u8, optional: true                  | b=c | 'b': Its group had no member 'c'.
        p, type: group, fields: [{name: a, type: u8}] | q, type: group, fields: [{name: a, type: u8, optional: true}] | | 'q': It is new and required, and stored records have no value.
        """)
    void shouldRefuseOtherChanges(String from, String to, @Nullable String renames, String reason) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CompactUpgrade.of(layout(from), layout(to), renames(renames)))
                .withMessage("Invalid change of " + reason);
    }

    @Test
    void shouldWidenTheStorageOfDecimalsAndInstants() {
        IntStorage narrow = IntStorage.of(4, false, ByteOrder.BIG_ENDIAN);
        IntStorage wide = IntStorage.of(8, true, ByteOrder.BIG_ENDIAN);
        assertThat(upgrade(new FieldType.DecimalType(narrow, 2), new FieldType.DecimalType(wide, 2)))
                .isEqualTo("0040");
        assertThat(upgrade(
                        new FieldType.InstantType(narrow, TimeUnit.SECONDS),
                        new FieldType.InstantType(wide, TimeUnit.SECONDS)))
                .isEqualTo("008080");
    }

    private static String upgrade(FieldType from, FieldType to) {
        byte[] upgraded = CompactUpgrade.of(single(from), single(to), Map.of()).upgrade(new byte[] {0, 0x40}, 0, 2);
        return HexFormat.of().formatHex(upgraded);
    }

    private static CompactLayout single(FieldType type) {
        CompactMember member = new CompactValue(Field.of("a", type, 0), List.of());
        return new CompactLayout(new CompactGroup(List.of(member)));
    }

    @Test
    void shouldRefuseMembersOfAnotherVersion() {
        CompactUpgrade upgrade = CompactUpgrade.of(
                layout("a, type: u8; b, type: u8, optional: true"), layout("b, type: u8, optional: true"), Map.of());
        byte[] record = HexFormat.of().parseHex("ffff" + "03050607");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> upgrade.upgrade(record, 2, record.length))
                .withMessage("Unknown members of the record, at byte 3 of the record:"
                        + " it has another version of the schema.");
    }

    @Test
    void shouldRefuseTruncatedRecords() {
        CompactUpgrade upgrade = CompactUpgrade.of(
                layout("a, type: u8; b, type: string, length: 9"), layout("b, type: string, length: 9"), Map.of());
        byte[] record = HexFormat.of().parseHex("ffff" + "0005" + "03616263");
        assertThat(upgrade.upgrade(record, 2, record.length)).asHexString().isEqualTo("0003616263");
        for (int end = 2; end < record.length; end++) {
            int cut = end;
            assertThatExceptionOfType(IllegalArgumentException.class)
                    .isThrownBy(() -> upgrade.upgrade(record, 2, cut))
                    .withMessageMatching("Truncated record: the value of .*, at byte [0-2] of the record, .*");
        }
    }
}
