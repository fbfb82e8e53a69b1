package io.millrace.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.millrace.codec.RecordBatch;
import io.millrace.codec.RecordCodec;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.IntStorage;
import io.millrace.schema.Schema;
import java.nio.ByteOrder;
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
        return StoredForm.of(schema).copy(batch, 1);
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
        assertThat(StoredRecords.of(ROWS.stored(), List.of("place", "nasIp")).decode(stored(ROWS.stored()), 0))
                .containsExactly(java.util.Map.entry("place", -7L), java.util.Map.entry("nasIp", "10.0.0.3"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> StoredRecords.of(ROWS.stored(), List.of("nasIpp")))
                .withMessageContaining("did you mean nasIp?");
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
        assertThat(StoredRecords.of(Trades.SCHEMA, List.of("id", "side")).decode(Trades.feed(10), 5 * Trades.LENGTH))
                .containsExactly(java.util.Map.entry("id", 5L), java.util.Map.entry("side", "Sell"));
    }
}
