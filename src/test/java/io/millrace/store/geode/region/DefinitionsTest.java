package io.millrace.store.geode.region;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.millrace.schema.Schema;
import io.millrace.schema.yaml.SchemaReader;
import io.millrace.store.error.DefinitionChangedException;
import io.millrace.store.error.StoreException;
import io.millrace.store.geode.cache.GeodeOptions;
import io.millrace.store.geode.cache.PeerCache;
import io.millrace.store.region.Layout;
import io.millrace.store.region.RegionDefinition;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which of two versions of a schema the members of a cluster use, in whatever order they join. */
class DefinitionsTest {

    private static final String FIRST = """
            schema: reading
            fields:
              - { name: id,    type: u32 }
              - { name: kind,  type: enum, values: [Power, Gas] }
              - { name: zone,  type: u8, optional: true, absent: flag }
            """;

    private PeerCache cache;
    private Definitions definitions;

    @BeforeEach
    void open() {
        cache = new PeerCache(GeodeOptions.inMemory());
        definitions = new Definitions(cache, GeodeOptions.DEFAULT_BUCKETS);
    }

    @AfterEach
    void close() {
        cache.close();
    }

    private static RegionDefinition region(String yaml) {
        return region(yaml, 16);
    }

    private static RegionDefinition region(String yaml, int blockRecords) {
        Schema schema = SchemaReader.read("reading.yml", yaml.getBytes(StandardCharsets.UTF_8));
        return new RegionDefinition("readings", Layout.BLOCKS, 0, false, schema, List.of("id"), blockRecords);
    }

    private static String later(String part, String replacement) {
        String later = part.isEmpty() ? FIRST + replacement.replace("+", "  - ") : FIRST.replace(part, replacement);
        assertThat(later).isNotEqualTo(FIRST);
        return later;
    }

    private RegionDefinition joined(RegionDefinition configured) {
        RegionDefinition opened = definitions.join(configured);
        definitions.publish(opened);
        return new SharedDefinition(definitions, configured, false).toRead();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Gas]       | Gas, Heat]",
                "type: u32  | type: u64",
                "type: u8,  | type: u16,",
                "''         | +{ name: tip, type: u8, optional: true, absent: flag }",
                "name: zone,| name: area, was: zone,",
            })
    void shouldUseTheLaterVersionInEitherOrder(String part, String replacement) {
        RegionDefinition first = region(FIRST);
        RegionDefinition second = region(later(part, replacement));
        long later = second.schema().fingerprint();

        assertThat(joined(first).schema().fingerprint())
                .isEqualTo(first.schema().fingerprint());
        assertThat(joined(second).schema().fingerprint()).isEqualTo(later);
        assertThat(joined(first).schema().fingerprint()).isEqualTo(later);
        RegionDefinition again = joined(second);
        assertThat(again.schema().fingerprint()).isEqualTo(later);
        assertThat(again.history()).hasSize(1);
        assertThat(definitions.toWrite(second).history()).hasSize(1);
        assertThatExceptionOfType(DefinitionChangedException.class)
                .isThrownBy(() -> definitions.toWrite(first))
                .withMessageStartingWith("Region 'readings' has version 2 of its schema in the cluster");
    }

    /** As after a stop of all members, where nothing says which versions a region in memory had. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Gas]       | Gas, Heat]",
                "type: u32  | type: u64",
                "''         | +{ name: tip, type: u8, optional: true, absent: flag }",
                "name: zone,| name: area, was: zone,",
            })
    void shouldUseTheLaterVersionWithoutItsHistory(String part, String replacement) {
        RegionDefinition second = region(later(part, replacement));
        long later = second.schema().fingerprint();

        assertThat(joined(second).schema().fingerprint()).isEqualTo(later);
        assertThat(joined(region(FIRST)).schema().fingerprint()).isEqualTo(later);
        assertThat(joined(second).schema().fingerprint()).isEqualTo(later);
    }

    @Test
    void shouldWriteALaterVersionOnlyOnceServersUseIt() {
        joined(region(FIRST));

        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> definitions.toWrite(region(later("Gas]", "Gas, Heat]"))))
                .isExactlyInstanceOf(StoreException.class)
                .withMessageContaining("with a later version of its schema than on the servers")
                .withMessageContaining("2 'Heat' was added");
    }

    @Test
    void shouldRefuseWhatIsNoVersion() {
        joined(region(FIRST));
        for (RegionDefinition other : List.of(
                region(FIRST, 32),
                region(later("type: u32", "type: string, length: 4")),
                region(later("u8,", "i8,")))) {
            assertThatExceptionOfType(StoreException.class)
                    .isThrownBy(() -> definitions.join(other))
                    .withMessageContaining("is configured here in another way than on the cluster's members");
        }
        assertThat(definitions.toWrite(region(FIRST)).history()).isEmpty();
    }
}
