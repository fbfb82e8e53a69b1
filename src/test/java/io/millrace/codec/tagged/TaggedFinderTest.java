package io.millrace.codec.tagged;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.codec.RecordCodec;
import io.millrace.schema.Schema;
import io.millrace.schema.yaml.SchemaReader;
import io.millrace.schema.yaml.Schemas;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TaggedFinderTest {

    private static final Schema ACCOUNTING = Schemas.builtIn().get("radius-accounting");
    private static final String HEADER = "04070000" + "00".repeat(16);
    private static final String REQUIRED = "280600000002" + "2c0361";

    @Test
    void shouldFindAttributes() {
        Map<String, @Nullable Object> found = find(REQUIRED
                + "0104" + "6a6f" // user name
                + "0406c0a80001"
                + "2a06ffffffff340600000002"
                + "37065f5e1000"
                + "1a17" + "000028af" + "0111" + "323836303131323334353637383930");

        assertThat(found)
                .containsEntry("identifier", 7L)
                .containsEntry("status", "Stop")
                .containsEntry("sessionId", "a")
                .containsEntry("userName", "jo")
                .containsEntry("nasIp", "192.168.0.1")
                .containsEntry("inputOctets", 4294967295L)
                .containsEntry("inputGigawords", 2L)
                .containsEntry("imsi", "286011234567890")
                .containsEntry("proxyStates", 0L)
                .containsEntry("outputOctets", null)
                .containsEntry("framedIp", null)
                .containsEntry("rat", null);
    }

    /** No value of an attribute stands for absent. */
    @Test
    void shouldDistinguishAttributesThatAreThereFromThoseThatAreNot() {
        Map<String, @Nullable Object> zero = find(REQUIRED + "080600000000" + "0102" + "6112" + "00".repeat(16));
        Map<String, @Nullable Object> none = find(REQUIRED);

        assertThat(zero).containsEntry("framedIp", "0.0.0.0").containsEntry("userName", "");
        assertThat(none).containsEntry("framedIp", null).containsEntry("userName", null);
    }

    @Test
    void shouldFindRequiredFieldsWithAnyValue() {
        Schema schema = SchemaReader.read("required.yml", """
                schema: required
                layout: tagged
                header: 0
                elements: { tag: 1, length: 1, counts: all }
                fields:
                  - { name: ip, type: ipv4, tag: 1, required: true }
                  - { name: real, type: f64, tag: 2, required: true }
                  - { name: whole, type: i64, tag: 3, required: true }
                  - { name: huge, type: u64, tag: 4 }
                  - { name: least, type: i64, tag: 5 }
                """.getBytes(StandardCharsets.UTF_8));
        byte[] record = HexFormat.of()
                .parseHex("010600000000" + "020a0000000000000000" + "030a8000000000000000" + "040affffffffffffffff"
                        + "050a8000000000000000");
        byte[] row = new byte[schema.foundLength()];

        assertThat(TaggedFinder.of(schema).find(record, 0, record.length, row, 0))
                .isNull();
        assertThat(TaggedFinder.interpreted(schema, Slots::of).find(record, 0, record.length, row, 0))
                .isNull();
        assertThat(RecordCodec.of(schema).decode(row, 0))
                .containsEntry("ip", "0.0.0.0")
                .containsEntry("real", 0.0)
                .containsEntry("whole", Long.MIN_VALUE)
                .containsEntry("huge", new BigInteger("18446744073709551615"))
                .containsEntry("least", Long.MIN_VALUE);
        assertThat(TaggedFinder.of(schema).find(record, 0, 6, row, 0)).contains("'real'");
    }

    /** As a record of another layout shows it: with the digits of a float. */
    @Test
    void shouldFindFloatsAsFloats() {
        Schema schema = SchemaReader.read("floats.yml", """
                schema: floats
                layout: tagged
                header: 0
                elements: { tag: 1, length: 1, counts: all }
                fields:
                  - { name: rate, type: f32, tag: 1, required: true }
                  - { name: share, type: f32, tag: 2, order: little }
                  - { name: none, type: f32, tag: 3 }
                  - { name: nan, type: f32, tag: 4 }
                  - { name: wide, type: f64, tag: 5 }
                """.getBytes(StandardCharsets.UTF_8));
        byte[] record =
                HexFormat.of().parseHex("010641d26666" + "02066666d241" + "0406ffc00001" + "050a403a4ccccccccccd");
        byte[] row = new byte[schema.foundLength()];
        for (TaggedFinder finder : List.of(TaggedFinder.of(schema), TaggedFinder.interpreted(schema, Slots::of))) {
            assertThat(finder.find(record, 0, record.length, row, 0)).isNull();
            assertThat(RecordCodec.of(schema).decode(row, 0))
                    .containsEntry("rate", 26.3f)
                    .containsEntry("share", 26.3f)
                    .containsEntry("none", null)
                    .containsEntry("nan", Float.NaN)
                    .containsEntry("wide", 26.3);
        }
    }

    /** Values of 3GPP-RAT-Type, TS 29.061 16.4.7.2. */
    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                "06, EUTRAN",
                "33, NR",
                "34, NR-U",
                "35, Trusted-WLAN",
                "36, Trusted-Non-3GPP",
                "37, Wireline",
                "38, Wireline-Cable",
                "39, Wireline-BBF",
                "3a, NR-RedCap",
                "65, IEEE-802.16e",
                "68, 3GPP2-1xRTT",
                "69, -", // reserved
            })
    void shouldNameRadioAccessTechnologies(String hex, @Nullable String name) {
        assertThat(find(REQUIRED + "1a09" + "000028af" + "1503" + hex)).containsEntry("rat", name);
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                "01330420 2f4c 8892,     SAI,      334020, 12108, -,     34962, -,   -",
                "8232f210 426d 32f21000013e02, TAI+ECGI, 23201, -, -, -, 17005, 81410",
                "0032f801 0001 fffe,     CGI,      23810,   1,    65534, -,     -,   -",
                "8132f210 f0013e02,      ECGI,     23201,   -,    -,     -,     -,   81410",
            })
    void shouldReadLocations(
            String hex,
            String type,
            String network,
            @Nullable Long lac,
            @Nullable Long ci,
            @Nullable Long sac,
            @Nullable Long tac,
            @Nullable Long eci) {
        assertThat(vendor(22, hex.replace(" ", "")))
                .containsEntry("locationType", type)
                .containsEntry("network", network)
                .containsEntry("lac", lac)
                .containsEntry("ci", ci)
                .containsEntry("sac", sac)
                .containsEntry("tac", tac)
                .containsEntry("eci", eci);
    }

    @ParameterizedTest
    @CsvSource({"4000, 60, 0", "8001, 120, 1", "0a02, -300, 2"})
    void shouldReadTimeZones(String hex, long minutes, long daylightSaving) {
        assertThat(vendor(23, hex)).containsEntry("timezone", minutes).containsEntry("daylightSaving", daylightSaving);
    }

    @Test
    void shouldTakeTheFirstOfSeveral() {
        assertThat(find(REQUIRED + "0103" + "61" + "0103" + "62")).containsEntry("userName", "a");
    }

    @Test
    void shouldReadAMalformedValueAsAbsentAndCountIt() {
        TaggedFinder finder = TaggedFinder.of(ACCOUNTING);
        byte[] row = new byte[ACCOUNTING.recordLength()];
        byte[] record = HexFormat.of().parseHex(HEADER + REQUIRED + "0405c0a800" + "1a09" + "000028af" + "0109ff");

        assertThat(finder.find(record, 0, record.length, row, 0)).isNull();
        assertThat(finder.malformed().get()).isEqualTo(2);
        assertThat(RecordCodec.of(ACCOUNTING).decode(row, 0))
                .containsEntry("nasIp", null)
                .containsEntry("imsi", null);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "280600000002|Missing or invalid value of 'sessionId'. The field is not optional.",
                "2c0361|Missing or invalid value of 'status'. The field is not optional.",
                "280600000063 2c0361|Missing or invalid value of 'status'. The field is not optional.",
                "280600000002 2c0361 01|Invalid length of the element at byte 29 of the record: it ends after the record's 30 bytes.",
                "280600000002 2c0361 0101|Invalid length of the element at byte 29 of the record: it ends after the record's 31 bytes.",
                "280600000002 2c0361 010461|Invalid length of the element at byte 29 of the record: it ends after the record's 32 bytes.",
            })
    void shouldRefuse(String attributes, String reason) {
        byte[] record = HexFormat.of().parseHex(HEADER + attributes.replace(" ", ""));

        assertThat(TaggedFinder.of(ACCOUNTING).find(record, 0, record.length, new byte[ACCOUNTING.recordLength()], 0))
                .isEqualTo(reason);
        assertThat(TaggedFinder.of(ACCOUNTING).find(record, 0, 19, new byte[ACCOUNTING.recordLength()], 0))
                .isEqualTo("Truncated record: 19 bytes. Its header has 20.");
    }

    @Test
    void shouldFindNoMoreThanTheRowHolds() {
        Schema some = ACCOUNTING.project(Set.of("imsi", "inputTotal"));

        assertThat(some.fields()).extracting("name").containsExactly("status", "sessionId", "proxyStates", "imsi");
        assertThat(some.base().names()).isEqualTo(ACCOUNTING.names());
        assertThat(some.fingerprint()).isEqualTo(ACCOUNTING.fingerprint());
    }

    @Test
    void shouldFindWiderTagsOtherLengthsRepeatedElementsAndTheirNumber() {
        Schema schema = SchemaReader.read("wide", """
                schema: wide
                layout: tagged
                elements: { tag: 2, length: 2, counts: value }
                fields:
                  - { name: note, type: string, length: 4, tag: 0x101, repeat: 2 }
                  - { name: last, type: string, length: 4, tag: 0x101, occurrence: 2 }
                  - { name: notes, type: count, tag: 0x101 }
                  - name: inner
                    type: group
                    tag: 7
                    elements: { tag: 1, length: 2, counts: all }
                    fields:
                      - { name: rate, type: f32, tag: 9, order: little }
                """.getBytes(StandardCharsets.UTF_8));
        byte[] row = new byte[schema.recordLength()];
        byte[] record =
                HexFormat.of().parseHex("0101000161" + "0101000162" + "0101000163" + "00070007" + "0900070000803f");

        assertThat(TaggedFinder.of(schema).find(record, 0, record.length, row, 0))
                .isNull();
        assertThat(RecordCodec.of(schema).decode(row, 0))
                .isEqualTo(Map.of("note[0]", "a", "note[1]", "b", "last", "c", "notes", 3L, "inner.rate", 1.0f));
    }

    private static Map<String, @Nullable Object> vendor(int type, String hex) {
        int length = hex.length() / 2 + 2;
        return find(REQUIRED + "1a%02x000028af%02x%02x".formatted(length + 6, type, length) + hex);
    }

    private static Map<String, @Nullable Object> find(String attributes) {
        byte[] record = HexFormat.of().parseHex(HEADER + attributes);
        byte[] row = new byte[ACCOUNTING.recordLength()];
        assertThat(TaggedFinder.of(ACCOUNTING).find(record, 0, record.length, row, 0))
                .isNull();
        return RecordCodec.of(ACCOUNTING).decode(row, 0);
    }
}
