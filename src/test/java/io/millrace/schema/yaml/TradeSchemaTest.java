package io.millrace.schema.yaml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.millrace.codec.FieldCodec;
import io.millrace.codec.RecordCodec;
import io.millrace.schema.Field;
import io.millrace.schema.Schema;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TradeSchemaTest {

    private static final String[] FIRST_ROW = {
        "1", "21/07/2014", "Buy", "EUR", "50000000.00", "1.344", "USD", "67200000.00", "28/07/2014"
    };

    @TempDir
    Path folder;

    @Test
    void shouldBeThe39ByteLayout() {
        Schema trade = Schemas.builtIn().get("trade");

        assertThat(trade.recordLength()).isEqualTo(39);
        assertThat(trade.fields())
                .extracting(field ->
                        field.name() + "@" + field.offset() + ":" + field.type().bytes())
                .containsExactly(
                        "id@0:8",
                        "tradeDate@8:2",
                        "buySell@10:1",
                        "currency1@11:1",
                        "amount1@12:8",
                        "exchangeRate@20:8",
                        "currency2@28:1",
                        "amount2@29:8",
                        "settlementDate@37:2");
        assertThat(trade.fields())
                .extracting(Field::label)
                .startsWith("ID", "TradeDate")
                .contains("Exchange Rate");
    }

    @Test
    void shouldWriteTheFirstSampleRowAsComputedByHand() {
        RecordCodec codec = RecordCodec.of(Schemas.builtIn().get("trade"));
        byte[] record = new byte[39];
        int i = 0;
        for (FieldCodec field : codec.codecs()) {
            field.setText(record, 0, FIRST_ROW[i++]);
        }

        // 1; day 16,272; Buy; EUR is 4; 5,000,000,000; 1.344; USD is 7; 6,720,000,000; day 16,279
        assertThat(HexFormat.of().formatHex(record))
                .isEqualTo("0000000000000001" + "3f90" + "00" + "04" + "000000012a05f200" + "3ff5810624dd2f1b" + "07"
                        + "00000001908b1000" + "3f97");
        i = 0;
        for (FieldCodec field : codec.codecs()) {
            assertThat(field.text(record, 0)).isEqualTo(FIRST_ROW[i++]);
        }
    }

    @Test
    void shouldHintAtTheNearestNameOfAnUnknownSchema() {
        assertThatExceptionOfType(UnknownSchemaException.class)
                .isThrownBy(() -> Schemas.builtIn().get("trad"))
                .withMessage(
                        "Unknown schema 'trad'. Did you mean 'trade'? Use one of: order, radius-accounting, reject, trade, or put"
                                + " trad.yml into the folder of schemas.");
    }

    @Test
    void shouldNotLeaveTheFolder() {
        assertThatExceptionOfType(UnknownSchemaException.class)
                .isThrownBy(() -> Schemas.in(folder).get("../trade"));
    }

    @Test
    void shouldPreferTheFolder() throws IOException {
        Files.writeString(folder.resolve("trade.yml"), "schema: trade\nfields: [{ name: id, type: i16 }]\n");
        Files.writeString(folder.resolve("quote.yml"), "schema: quote\nfields: [{ name: id, type: i32 }]\n");
        Schemas schemas = Schemas.in(folder);

        assertThat(schemas.get("trade").recordLength()).isEqualTo(2);
        assertThat(schemas.get("quote").recordLength()).isEqualTo(4);
        assertThat(schemas.names()).containsExactly("order", "quote", "radius-accounting", "reject", "trade");
    }

    @Test
    void shouldReadEveryBuiltInSchema() {
        Schemas schemas = Schemas.builtIn();

        assertThat(schemas.names())
                .isNotEmpty()
                .allSatisfy(name -> assertThat(schemas.get(name).name()).isEqualTo(name));
    }
}
