package io.millrace.store.query;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.millrace.codec.RecordBatch;
import io.millrace.codec.RecordCodec;
import io.millrace.expression.function.ExpressionFunction;
import io.millrace.expression.function.FunctionRegistry;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.IntStorage;
import io.millrace.schema.Schema;
import io.millrace.schema.VirtualField;
import io.millrace.store.Packets;
import io.millrace.store.Trades;
import io.millrace.store.error.StoreException;
import io.millrace.store.region.StoredForms;
import java.nio.ByteOrder;
import java.time.LocalDate;
import java.util.AbstractMap.SimpleEntry;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class StoredRecordsTest {

    private static final Field PLACE =
            Field.of("place", new FieldType.IntegerType(IntStorage.of(4, true, ByteOrder.BIG_ENDIAN)), 0);
    private static final Schema ROWS = Packets.SCHEMA.project(Set.of("imsi")).extend(PLACE);
    private static final byte[] PACKET =
            Packets.of(Packets.STOP, "s-1").imsi("286011234567890").nas(3).bytes();

    private static byte[] stored(Schema schema) {
        RecordBatch batch =
                Packets.batch(ROWS, 0, Packets.of(Packets.START, "other").bytes(), PACKET);
        RecordCodec.of(ROWS).codec("place").setText(batch.added(), batch.addedOffset(1), "-7");
        return StoredForms.of(schema).copy(batch, 1);
    }

    @Test
    void shouldKeepWhatWasAddedBeforeTheRecordsOwnBytes() {
        byte[] stored = stored(ROWS.stored());

        assertThat(Arrays.copyOf(stored, 4)).containsExactly(-1, -1, -1, -7);
        assertThat(Arrays.copyOfRange(stored, 4, stored.length)).isEqualTo(PACKET);
        assertThat(stored(Packets.SCHEMA)).isEqualTo(PACKET);
    }

    @Test
    void shouldDecodeAllThatCanBeFoundAndWhatWasAdded() {
        assertThat(StoredRecords.of(ROWS.stored()).decode(stored(ROWS.stored()), 0))
                .containsEntry("sessionId", "s-1")
                .containsEntry("imsi", "286011234567890")
                .containsEntry("nasIp", "10.0.0.3")
                .containsEntry("place", -7L)
                .containsEntry("userName", null)
                .hasSize(ROWS.stored().fields().size());
    }

    @Test
    void shouldDecodeASelectionInItsOrder() {
        assertThat(StoredRecords.of(ROWS.stored(), List.of("place", "nasIp"), FunctionRegistry.empty())
                        .decode(stored(ROWS.stored()), 0))
                .containsExactly(entry("place", -7L), entry("nasIp", "10.0.0.3"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> StoredRecords.of(ROWS.stored(), List.of("nasIpp"), FunctionRegistry.empty()))
                .withMessageContaining("Did you mean 'nasIp'?");
    }

    @Test
    void shouldComputeVirtualFieldsAmongOthers() {
        byte[] packet = Packets.of(Packets.STOP, "s-2")
                .number(42, 7)
                .number(52, 3)
                .nas(3)
                .bytes();
        StoredRecords records = StoredRecords.of(
                Packets.SCHEMA,
                List.of("inputTotal", "sessionId", "outputTotal", "cell", "inputOctets", "inputTotal"),
                FunctionRegistry.empty());

        for (int i = 0; i < 2; i++) { // what one record left behind is not seen in the next
            assertThat(List.copyOf(records.decode(packet, 0).entrySet()))
                    .containsExactly(
                            entry("inputTotal", 3 * 4294967296L + 7),
                            entry("sessionId", "s-2"),
                            entry("outputTotal", 0L),
                            new SimpleEntry<>("cell", null),
                            entry("inputOctets", 7L));
            assertThat(records.decode(PACKET, 0)).containsEntry("inputTotal", 0L);
        }
    }

    @Test
    void shouldComputeVirtualFieldsOfTheFixedLayout() {
        Schema schema = new Schema(
                "computed",
                Trades.LENGTH,
                List.copyOf(Trades.SCHEMA.fields()),
                List.of(
                        new VirtualField("share", "100 / id"),
                        new VirtualField("place", "side == 'Buy' ? desk : null"),
                        new VirtualField("other", "side"),
                        new VirtualField("next", "day.plusDays(1)"),
                        new VirtualField("ones", "#bits(share)")));
        FunctionRegistry functions =
                FunctionRegistry.of(List.of(ExpressionFunction.ofStatic("bits", Long.class, "bitCount")));
        StoredRecords records =
                StoredRecords.of(schema, List.of("ones", "id", "share", "place", "other", "next"), functions);

        byte[] feed = Trades.feed(10);
        assertThat(records.decode(feed, 4 * Trades.LENGTH))
                .containsExactly(
                        entry("ones", 3L),
                        entry("id", 4L),
                        entry("share", 25L),
                        entry("place", "D4"),
                        entry("other", "Buy"),
                        entry("next", LocalDate.ofEpochDay(20_005)));
        assertThat(records.decode(feed, 5 * Trades.LENGTH))
                .containsEntry("place", null)
                .containsEntry("other", "Sell");
        assertThatExceptionOfType(NoResultException.class)
                .isThrownBy(() -> records.decode(feed, 0))
                .withMessageContainingAll("division by zero", "id=0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> StoredRecords.of(schema, List.of("shape"), functions))
                .withMessageContaining("Did you mean 'share'?");
    }

    @Test
    void shouldRefuseBytesThatAreNoRecordWhateverTheirLength() {
        byte[] stored = stored(ROWS.stored());
        StoredRecords records = StoredRecords.of(ROWS.stored());
        for (int length = 0; length < stored.length; length++) {
            byte[] cut = Arrays.copyOf(stored, length);
            if (length < 4 + 20 + 6 + 5) { // before the end of the last field that every record must have
                assertThatExceptionOfType(StoreException.class)
                        .as("length %d", length)
                        .isThrownBy(() -> records.decode(cut, 0));
            }
        }
    }

    @Test
    void shouldDecodeRecordsOfTheFixedLayoutWhereTheyLie() {
        assertThat(StoredRecords.of(Trades.SCHEMA, List.of("id", "side"), FunctionRegistry.empty())
                        .decode(Trades.feed(10), 5 * Trades.LENGTH))
                .containsExactly(entry("id", 5L), entry("side", "Sell"));
    }
}
