package io.millrace.store.region;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.millrace.codec.FieldCodec;
import io.millrace.codec.FieldValueException;
import io.millrace.codec.RecordBatch;
import io.millrace.codec.RecordCodec;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.IntStorage;
import io.millrace.schema.Schema;
import io.millrace.store.Packets;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.CharRange;
import net.jqwik.api.constraints.Chars;
import net.jqwik.api.constraints.StringLength;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

public class EntryKeyTest {

    private static final RegionDefinition SESSIONS = region("nasIp", "sessionId");

    public static RegionDefinition region(String... key) {
        return new RegionDefinition("sessions", Layout.ENTRIES, 0, false, Packets.SCHEMA, List.of(key), 1);
    }

    @Test
    void shouldBeTheValueOfOneField() {
        RecordBatch batch = Packets.batch(
                Packets.SCHEMA, 0, Packets.of(Packets.START, "a|b").bytes());

        EntryKey key = key(region("sessionId"));
        assertThat(key.read(batch.added(), 0)).isEqualTo("a|b");
        assertThat(key.parse("a|b")).isEqualTo("a|b");
    }

    @Test
    void shouldJoinTheTextsOfSeveralFieldsWhereverTheRowHasThem() {
        Schema rows = Packets.SCHEMA.project(Set.of("nasIp", "inputOctets"));
        RecordBatch batch = Packets.batch(
                rows,
                0,
                Packets.of(Packets.START, "x").nas(1).bytes(),
                Packets.of(Packets.START, "a|b\\c").bytes());

        EntryKey key = EntryKey.of(rows, SESSIONS.keyFields());
        assertThat(key.read(batch.added(), batch.addedOffset(0))).isEqualTo("10.0.0.1|x");
        assertThat(key.read(batch.added(), batch.addedOffset(1))).isEqualTo("|a\\|b\\\\c");
    }

    @Property
    void shouldReadBackWhatItJoined(
            @ForAll @StringLength(min = 1, max = 20) @Chars({'|', '\\', 'a', '"'}) String session,
            @ForAll @StringLength(max = 20) @CharRange(from = '[', to = '~') String apn) {
        RegionDefinition region = region("apn", "sessionId");
        byte[] row = new byte[Packets.SCHEMA.recordLength()];
        RecordCodec.of(Packets.SCHEMA).codec("sessionId").setText(row, 0, session);
        RecordCodec.of(Packets.SCHEMA).codec("apn").setText(row, 0, apn);

        Object key = key(region).read(row, 0);
        assertThat(key(region).parse(key.toString())).isEqualTo(key);
    }

    @Test
    void shouldNotTakeAnEmptyTextForAnAbsentOne() {
        FieldType text = new FieldType.StringType(2, StandardCharsets.UTF_8, (byte) 0);
        FieldType number = new FieldType.IntegerType(IntStorage.of(1, false, ByteOrder.BIG_ENDIAN));
        Schema schema = new Schema(
                "texts", 4, List.of(Field.of("name", text, 0).withNullFlag(), Field.of("id", number, 3)), List.of());
        RegionDefinition region =
                new RegionDefinition("texts", Layout.ENTRIES, 0, false, schema, List.of("name", "id"), 1);
        EntryKey key = key(region);
        FieldCodec name = RecordCodec.of(schema).codec("name");
        Map<@Nullable String, String> keys = new HashMap<>();
        for (String value : new @Nullable String[] {null, "", "0", "\\"}) {
            byte[] row = new byte[4];
            name.setValue(row, 0, value);
            keys.put(value, (String) key.read(row, 0));
            assertThat(key.parse(keys.get(value))).isEqualTo(keys.get(value));
        }
        assertThat(keys.values()).containsExactlyInAnyOrder("|0", "\\0|0", "0|0", "\\\\|0");
    }

    @Test
    void shouldNotTakeTwoKeysForOne() {
        EntryKey key = key(region("apn", "sessionId"));

        assertThat(key.parse("a\\|b|c")).isEqualTo("a\\|b|c").isNotEqualTo(key.parse("a|b\\|c"));
    }

    @Test
    void shouldSayWhatIsWrongWithAText() {
        EntryKey key = key(SESSIONS);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> key.parse("10.0.0.1"))
                .withMessage("Invalid key '10.0.0.1'. Use 2 parts, separated by '|': nasIp, sessionId.");
        assertThatExceptionOfType(FieldValueException.class)
                .isThrownBy(() -> key.parse("nowhere|x"))
                .withMessageContaining("Invalid value 'nowhere' of 'nasIp'.");
    }

    @Test
    void shouldRefuseFieldsThatCannotBeAKey() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> region("nasIp"))
                .withMessageStartingWith("Invalid key 'nasIp' of region 'sessions'.");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> region("sessionId", "class"))
                .withMessageStartingWith("Invalid key 'class' of region 'sessions'.");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> region("nasIp", "userName"))
                .withMessage("Invalid key [nasIp, userName] of region 'sessions'. Use at least one required field.");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> region("nasIp", "session"))
                .withMessageContaining("Unknown key 'session' of region 'sessions' in schema 'radius-accounting'");
        assertThatIllegalArgumentException().isThrownBy(() -> region()).withMessageContaining("Missing key");
    }

    @Test
    void shouldRefuseForBlocksWhatOnlyEntriesHave() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new RegionDefinition(
                        "b", Layout.BLOCKS, 0, false, Packets.SCHEMA, List.of("nasIp", "sessionId"), 1))
                .withMessageContaining("Too many keys [nasIp, sessionId] of region 'b'");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new RegionDefinition(
                        "b", Layout.BLOCKS, 0, false, Packets.SCHEMA, List.of(), "status == 'Stop'", 1))
                .withMessageContaining("'remove' has no effect in region 'b'");
    }

    public static EntryKey key(RegionDefinition region) {
        return EntryKey.of(region.schema(), region.keyFields());
    }
}
