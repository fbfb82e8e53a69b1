package io.millrace.store.region;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.millrace.schema.Schema;
import io.millrace.schema.yaml.SchemaReader;
import io.millrace.store.Entries;
import io.millrace.store.error.CorruptDataException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EntryVersionsTest {

    private static final List<Object> KEYS = List.of(
            7L,
            -1L,
            "10.0.0.1|0A2B",
            "",
            new BigDecimal("12345678901234567890.25"),
            LocalDate.of(2026, 11, 27),
            Instant.parse("2026-11-27T10:15:30.123456789Z"));

    private final Random random = new Random(20261127);

    private static RegionDefinition region(String layout) {
        String text = "schema: s\nlayout: " + layout + "\nfields:\n  - { name: id, type: "
                + ("tagged".equals(layout) ? "u64, tag: 1" : "i64") + " }\n";
        Schema schema = SchemaReader.read("s.yml", text.getBytes(StandardCharsets.UTF_8));
        return new RegionDefinition("r", Layout.ENTRIES, 0, false, schema, List.of("id"), 4096);
    }

    private byte[] record(RegionDefinition region, int length) {
        byte[] record = new byte[StoredForms.of(region.schema()).length().orElse(length)];
        random.nextBytes(record);
        return record;
    }

    @ParameterizedTest
    @ValueSource(strings = {"fixed", "compact"})
    void shouldNoticeEveryFlippedBit(String layout) {
        RegionDefinition region = region(layout);
        EntryVersions versions = EntryVersions.of(region);
        for (Object key : KEYS) {
            for (int length = 0; length < 100; length++) {
                byte[] record = record(region, length);
                byte[] entry = Entries.of(region, key, record);
                assertThat(versions.record(versions.newest(key, entry))).isEqualTo(record);
                for (int bit = 0; bit < entry.length * Byte.SIZE; bit++) {
                    byte[] flipped = entry.clone();
                    flipped[bit / Byte.SIZE] ^= (byte) (1 << bit % Byte.SIZE);
                    requireCorrupt(versions, key, flipped);
                }
            }
        }
    }

    @Test
    void shouldNoticeEveryFlippedBitOfAKey() {
        RegionDefinition region = region("fixed");
        EntryVersions versions = EntryVersions.of(region);
        byte[] entry = Entries.of(region, 77L, record(region, 0));
        for (int bit = 0; bit < Long.SIZE; bit++) {
            requireCorrupt(versions, 77L ^ (1L << bit), entry);
        }
        String text = "10.0.0.1|0A2B";
        byte[] named = Entries.of(region, text, record(region, 0));
        for (int bit = 0; bit < text.length() * Character.SIZE; bit++) {
            char[] letters = text.toCharArray();
            letters[bit / Character.SIZE] ^= (char) (1 << bit % Character.SIZE);
            requireCorrupt(versions, new String(letters), named);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"fixed", "compact"})
    void shouldNoticeAnEntryThatWasCutOrHasNoChecksum(String layout) {
        RegionDefinition region = region(layout);
        EntryVersions versions = EntryVersions.of(region);
        byte[] record = record(region, 50);
        byte[] entry = Entries.of(region, 5L, record);
        for (int length = 0; length < entry.length; length++) {
            requireCorrupt(versions, 5L, Arrays.copyOf(entry, length));
        }
        requireCorrupt(versions, 5L, record);
        requireCorrupt(versions, 5L, new byte[entry.length]);
    }

    private static void requireCorrupt(EntryVersions versions, Object key, byte[] entry) {
        assertThatExceptionOfType(CorruptDataException.class)
                .isThrownBy(() -> versions.newest(key, entry))
                .withMessageContaining("Corrupt entry in region 'r', key '" + key + "': invalid checksum.");
    }
}
