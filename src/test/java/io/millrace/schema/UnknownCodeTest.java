package io.millrace.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.millrace.codec.EnumCodec;
import io.millrace.codec.FieldValueException;
import io.millrace.codec.RecordCodec;
import io.millrace.codec.tagged.TaggedFinder;
import io.millrace.schema.evolution.DescriptionReader;
import io.millrace.schema.evolution.SchemaDescription;
import io.millrace.schema.evolution.SchemaDifference;
import io.millrace.schema.yaml.SchemaReader;
import io.millrace.store.CompactOrders;
import io.millrace.view.RecordViews;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Codes without a name: rejected by default, or kept. */
class UnknownCodeTest {

    private static final Dictionary KEPT = Dictionary.of("Off", "On").keeping(9);

    private static Schema schema(String layout, String status) {
        return SchemaReader.read("r.yml", """
            schema: r
            layout: %s
            fields:
              - { name: id, type: u8 }
              - { name: status, type: enum, values: [Off, On], %s }
            """.formatted(layout, status).getBytes(StandardCharsets.UTF_8));
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {"0, Off", "1, On", "2, #2", "9, #9", "10, -", "-1, -", "4294967297, -"})
    void shouldHaveATextForEachCodeThatIsKept(long code, String text) {
        assertThat(KEPT.name(code)).isEqualTo(text);
        if (text != null) {
            assertThat(KEPT.code(text)).isEqualTo((int) code);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"#0", "#1", "#10", "#02", "#", "#-2", "#2 ", "2", "#٢", "#99999999999", "on", ""})
    void shouldKnowNoOtherText(String text) {
        assertThat(KEPT.code(text)).isEqualTo(-1);
    }

    @Test
    void shouldBeTheSameWhenItWasSerialized() throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (ObjectOutputStream objects = new ObjectOutputStream(out)) {
            objects.writeObject(KEPT);
        }
        try (ObjectInputStream objects = new ObjectInputStream(new ByteArrayInputStream(out.toByteArray()))) {
            assertThat(objects.readObject()).isEqualTo(KEPT).isNotEqualTo(Dictionary.of("Off", "On"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"fixed", "compact"})
    void shouldNotChangeTheMeaningOfStoredBytes(String layout) {
        Schema kept = schema(layout, "unknown: keep");
        Schema rejected = schema(layout, "unknown: reject");
        assertThat(kept.fingerprint()).isEqualTo(rejected.fingerprint());
        assertThat(SchemaDescription.of(kept)).isEqualTo(SchemaDescription.of(rejected));
        assertThat(SchemaDifference.between(SchemaDescription.of(kept), SchemaDescription.of(rejected)))
                .isEmpty();
    }

    /** Codes that are stored were valid when they were written. */
    @Test
    void shouldReadStoredCodesOfAnOlderVersion() {
        Schema older = DescriptionReader.read(SchemaDescription.of(schema("fixed", "unknown: keep")));
        assertThat(RecordCodec.of(older).codec("status").value(new byte[] {1, 7}, 0))
                .isEqualTo("#7");
    }

    @Test
    void shouldRejectByDefault() {
        RecordCodec codec = RecordCodec.of(schema("fixed", ""));
        assertThatExceptionOfType(FieldValueException.class)
                .isThrownBy(() -> codec.codec("status").value(new byte[] {1, 7}, 0))
                .withMessageContaining("No name of the dictionary has this code.");
        assertThatExceptionOfType(FieldValueException.class)
                .isThrownBy(() -> codec.codec("status").setText(new byte[2], 0, "#7"));
    }

    @Test
    void shouldNotReachTheNumberOfAbsent() {
        RecordCodec codec = RecordCodec.of(schema("fixed", "unknown: keep, optional: true"));
        EnumCodec status = (EnumCodec) codec.codec("status");
        byte[] record = {1, 0};
        assertThatExceptionOfType(FieldValueException.class).isThrownBy(() -> status.setText(record, 0, "#255"));
        status.setText(record, 0, "#254");
        assertThat(status.value(record, 0)).isEqualTo("#254");
        assertThat(record[1]).isEqualTo((byte) 254);
        status.putAbsent(record, 0);
        assertThat(status.value(record, 0)).isNull();
    }

    @Test
    void shouldKeepCodesInPackets() {
        Schema schema = SchemaReader.read("p.yml", """
            schema: p
            layout: tagged
            header: 1
            elements: { tag: 1, length: 1, counts: all }
            fields:
              - { name: kept, type: enum, as: u32, values: { 1: Start }, tag: 40, unknown: keep }
              - { name: rejected, type: enum, as: u32, values: { 1: Start }, tag: 40 }
            """.getBytes(StandardCharsets.UTF_8));
        byte[] row = new byte[schema.recordLength()];
        byte[] record = HexFormat.of().parseHex("00" + "280600000007");
        TaggedFinder.of(schema).find(record, 0, record.length, row, 0);
        assertThat(RecordCodec.of(schema).codec("kept").value(row, 0)).isEqualTo("#7");
        assertThat(RecordCodec.of(schema).codec("rejected").value(row, 0)).isNull();
    }

    private static byte[] compact(Schema schema, String status) {
        return CompactOrders.records(schema, List.of("{\"id\":1,\"status\":\"" + status + "\"}"))
                .getFirst();
    }

    enum Status {
        OFF,
        ON
    }

    interface Constants {
        Status getStatus();
    }

    interface Texts {
        String getStatus();
    }

    @ParameterizedTest
    @ValueSource(strings = {"fixed", "compact"})
    void shouldReturnTheTextFromGettersButNoConstant(String layout) {
        Schema schema = schema(layout, "unknown: keep");
        RecordViews<Texts> texts = RecordViews.of(Texts.class, schema);
        RecordViews<Constants> constants = RecordViews.of(Constants.class, schema);
        boolean compact = layout.equals("compact");
        byte[] unknown = compact ? compact(schema, "#7") : new byte[] {1, 7};
        byte[] known = compact ? compact(schema, "On") : new byte[] {1, 1};
        assertThat(texts.of(unknown).getStatus()).isEqualTo("#7");
        assertThat(constants.of(known).getStatus()).isEqualTo(Status.ON);
        assertThatIllegalStateException()
                .isThrownBy(() -> constants.of(unknown).getStatus())
                .withMessageContaining("Field 'status' has the code #7 without a name");
    }
}
