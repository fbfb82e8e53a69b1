package io.millrace.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.millrace.schema.IntStorage;
import io.millrace.schema.Schema;
import io.millrace.schema.SchemaReader;
import io.millrace.schema.Schemas;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FieldCodecTest {

    private static final int RECORD = 7;

    private static FieldCodec codec(String attributes) {
        String yaml = "schema: t\nfields: [{ name: before, type: u24 }, { name: a, " + attributes + " }]";
        Schema schema = SchemaReader.read("t.yml", yaml.getBytes(StandardCharsets.UTF_8));
        return RecordCodec.of(schema).codec("a");
    }

    private static byte[] dirty() {
        byte[] bytes = new byte[64];
        Arrays.fill(bytes, (byte) 0xA5);
        return bytes;
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', ignoreLeadingAndTrailingWhitespace = true, textBlock = """
            type: decimal, scale: 2                     | 1.005          | has 3 decimals, the field holds 2
            type: decimal, scale: 2, as: i16            | 327.68         | is out of range, the field holds -327.68 to 327.67
            type: decimal, scale: 2, as: u16            | -0.01          | is out of range, the field holds 0.00 to 655.35
            type: decimal, scale: 2                     | 1e999999999    | is out of range, the field holds -92233720368547758.08 to 92233720368547758.07
            type: decimal, scale: 2                     | 1,5            | is not a number
            type: decimal, scale: 2, min: 0             | -1.00          | is below the smallest allowed, 0
            type: decimal, scale: 2, max: 10            | 10.01          | is above the largest allowed, 10
            type: u8                                    | 256            | is out of range, the field holds 0 to 255
            type: u8                                    | 1.0            | is not a whole number of u8
            type: u8, min: 3                            | 2              | is below the smallest allowed, 3
            type: u64                                   | -1             | is not a whole number of u64
            type: date                                  | 1969-12-31     | is out of range, the field holds 1970-01-01 to 2149-06-06
            type: date                                  | 2149-06-07     | is out of range, the field holds 1970-01-01 to 2149-06-06
            type: date                                  | 2014-02-30     | is not a date of the form yyyy-MM-dd
            type: date, format: dd/MM/yyyy              | 31/02/2014     | is not a date of the form dd/MM/yyyy
            type: date, format: dd/MM/yyyy              | 2014-07-21     | is not a date of the form dd/MM/yyyy
            type: instant, unit: s                      | 2014-07-21T09:30:00.5Z | is finer than the field's unit, seconds
            type: instant, unit: ns                     | 2300-01-01T00:00:00Z | is out of range, the field holds 1677-09-21T00:12:43.145224192Z to 2262-04-11T23:47:16.854775807Z
            type: instant, unit: s                      | yesterday      | is not an instant of the form 2014-07-21T09:30:00Z
            type: 'enum', values: ['', EUR, GBP]        | XXX            | is not one of the field's values
            type: 'enum', values: [Buy, Sell]           | Short          | is not one of the field's values
            type: 'enum', values: [Buy, Sell]           | buy            | is not one of the field's values
            type: 'enum', values: [Buy, Sell], pattern: B.* | Sell       | does not match B.*
            type: boolean                               | yes            | is neither true nor false
            type: f64                                   | 1.3.4          | is not a number
            type: f64, max: 2                           | 2.0000000000000004 | is above the largest allowed, 2
            type: f64, max: 2                           | NaN            | is not a number, but the field has a smallest or largest
            type: f32                                   | 1e39           | is out of range
            type: string, length: 3                     | abcd           | is too long, it takes 4 bytes and the field holds 3
            type: string, length: 3                     | é              | cannot be written in US-ASCII
            type: string, length: 3, charset: latin1    | €              | cannot be written in ISO-8859-1
            type: string, length: 3, charset: utf8      | €€             | is too long, it takes 6 bytes and the field holds 3
            type: string, length: 3, pattern: '[a-z]+'  | A              | does not match [a-z]+
            type: bytes, length: 2                      | 0g             | is not hexadecimal
            type: ipv4                                  | 1.2.3          | is not an IPv4 address
            type: ipv4                                  | 1.2.3.256      | is not an IPv4 address
            type: ipv4                                  | 01.2.3.4       | is not an IPv4 address
            type: ipv4                                  | localhost      | is not an IPv4 address
            type: ipv6                                  | 1.2.3.4        | is not an IPv6 address
            type: ipv6                                  | 1:2:3:4:5:6:7::8:9 | is not an IPv6 address
            type: ipv6                                  | ::1::          | is not an IPv6 address
            type: ipv6                                  | 1:2:3:4:5:6:7  | is not an IPv6 address
            type: ipv6                                  | fe80::1%eth0   | is not an IPv6 address
            """)
    void shouldRefuseToWrite(String attributes, String text, String reason) {
        FieldCodec codec = codec(attributes);
        byte[] bytes = dirty();

        assertThatExceptionOfType(FieldValueException.class)
                .isThrownBy(() -> codec.setText(bytes, RECORD, text))
                .satisfies(refused -> assertThat(refused.field()).isEqualTo("a"))
                .satisfies(refused -> assertThat(refused.getMessage()).endsWith(": " + reason));
        assertThat(bytes).isEqualTo(dirty());
    }

    @Test
    void shouldNameFieldAndValueInTheMessage() {
        FieldCodec amount = RecordCodec.of(Schemas.builtIn().get("trade")).codec("amount1");

        assertThatExceptionOfType(FieldValueException.class)
                .isThrownBy(() -> amount.setText(new byte[39], 0, "1.005"))
                .withMessage("field=amount1 value=1.005: has 3 decimals, the field holds 2")
                .satisfies(refused -> assertThat(refused.value()).isEqualTo("1.005"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            type: i64                                   | -9223372036854775808
            type: u64                                   | 18446744073709551615
            type: decimal, scale: 2                     | -0.05
            type: decimal, scale: 18, as: u64           | 18.446744073709551615
            type: f64                                   | 0.1
            type: f64                                   | -Infinity
            type: f64                                   | NaN
            type: f32, order: little                    | 0.1
            type: date                                  | 2149-06-06
            type: date, as: i16                         | 1969-12-31
            type: date, format: dd/MM/yyyy              | 29/02/2016
            type: instant, unit: ms                     | 1969-12-31T23:59:59.999Z
            type: instant, unit: ns                     | 2014-07-21T09:30:00.123456789Z
            type: instant, unit: s, as: u32, format: uuuu-MM-dd HH:mm:ss | 2106-02-07 06:28:15
            type: 'enum', values: { 3: Buy, 200: Sell } | Sell
            type: boolean, bits: 5                      | true
            type: string, length: 5                     | abc
            type: string, length: 5, pad: zero          | 'abc '
            type: string, length: 5, charset: latin1    | été
            type: string, length: 5, charset: utf8      | €ä
            type: bytes, length: 3                      | 00ff7f
            type: ipv4                                  | 192.168.0.1
            type: ipv6                                  | 2001:db8::1
            type: ipv6                                  | ::
            type: ipv6                                  | ::1
            type: ipv6                                  | 1::
            type: ipv6                                  | 2001:db8:0:1:1:1:1:1
            type: ipv6                                  | 2001:0:0:1::1
            type: ipv6                                  | 2001:db8::1:0:0:1
            type: ipv6                                  | ::ffff:192.0.2.1
            """)
    void shouldReadBackTheTextThatItWrote(String attributes, String text) {
        FieldCodec codec = codec(attributes);
        byte[] bytes = dirty();

        codec.setText(bytes, RECORD, text);

        assertThat(codec.text(bytes, RECORD)).isEqualTo(text);
        byte[] again = dirty();
        if (!text.equals("18446744073709551615")) {
            codec.setValue(again, RECORD, codec.value(bytes, RECORD));
            assertThat(again).isEqualTo(bytes);
        }
        int end = RECORD + codec.field().end();
        assertThat(Arrays.copyOf(bytes, RECORD + 3)).isEqualTo(Arrays.copyOf(dirty(), RECORD + 3));
        assertThat(Arrays.copyOfRange(bytes, end, 64)).isEqualTo(Arrays.copyOfRange(dirty(), end, 64));
        for (int length = 0; length < end; length++) {
            byte[] cut = Arrays.copyOf(bytes, length);
            assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> codec.value(cut, RECORD));
            assertThatExceptionOfType(IndexOutOfBoundsException.class)
                    .isThrownBy(() -> codec.setText(cut, RECORD, text));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "2001:DB8:0:0:0:0:0:1,2001:db8::1",
        "0:0:0:0:0:0:0:0,::",
        "2001:db8:0:0:1:0:0:1,2001:db8::1:0:0:1",
        "64:ff9b::192.0.2.33,64:ff9b::c000:221",
        "::ffff:c000:201,::ffff:192.0.2.1"
    })
    void shouldWriteAddressesAsRfc5952HasThem(String text, String canonical) {
        FieldCodec codec = codec("type: ipv6");
        byte[] bytes = dirty();

        codec.setText(bytes, RECORD, text);

        assertThat(codec.text(bytes, RECORD)).isEqualTo(canonical);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            type: boolean                                     | field=a value=165: is neither 0 nor 1
            type: 'enum', values: [Buy, Sell]                 | field=a value=165: is a code that no name stands for
            type: 'enum', values: { 164: Buy, 166: Sell }     | field=a value=165: is a code that no name stands for
            type: string, length: 2                           | field=a value=a5a5: is not text in US-ASCII
            type: string, length: 2, charset: utf8            | field=a value=a5a5: is not text in UTF-8
            """)
    void shouldRefuseToReadWhatIsNoValue(String attributes, String message) {
        FieldCodec codec = codec(attributes);

        assertThatExceptionOfType(FieldValueException.class)
                .isThrownBy(() -> codec.value(dirty(), RECORD))
                .withMessage(message);
        assertThatExceptionOfType(FieldValueException.class).isThrownBy(() -> codec.text(dirty(), RECORD));
    }

    @Test
    void shouldReadAnUnsignedNumberPastLong() {
        LongCodec codec = (LongCodec) codec("type: u64");
        byte[] bytes = dirty();

        assertThat(codec.value(bytes, RECORD)).isEqualTo(new BigInteger("11936128518282651045"));
        assertThat(codec.text(bytes, RECORD)).isEqualTo("11936128518282651045");
        assertThatExceptionOfType(FieldValueException.class)
                .isThrownBy(() -> codec.getExact(bytes, RECORD))
                .withMessage("field=a value=11936128518282651045: is past the range of long");
        codec.setValue(bytes, RECORD, BigInteger.TWO.pow(63));
        assertThat(codec.value(bytes, RECORD)).isEqualTo(BigInteger.TWO.pow(63));
        codec.setValue(bytes, RECORD, Long.MAX_VALUE);
        assertThat(codec.value(bytes, RECORD)).isEqualTo(Long.MAX_VALUE);
    }

    @ParameterizedTest
    @CsvSource({
        "'type: i16'",
        "'type: decimal, scale: 2'",
        "'type: f32'",
        "'type: f64'",
        "'type: date'",
        "'type: instant, unit: ms'",
        "'type: enum, values: [x]'",
        "'type: boolean'",
        "'type: string, length: 4'",
        "'type: bytes, length: 4'",
        "'type: ipv4'",
        "'type: ipv6'"
    })
    void shouldReadAbsentAsNull(String attributes) {
        FieldCodec codec = codec(attributes + ", optional: true");
        byte[] bytes = dirty();

        assertThat(codec.isAbsent(bytes, RECORD)).isFalse();
        codec.setValue(bytes, RECORD, null);

        assertThat(codec.isAbsent(bytes, RECORD)).isTrue();
        assertThat(codec.value(bytes, RECORD)).isNull();
        assertThat(codec.text(bytes, RECORD)).isEmpty();
        byte[] fromText = dirty();
        codec.setText(fromText, RECORD, "");
        assertThat(fromText).isEqualTo(bytes);
    }

    @Test
    void shouldRefuseAbsentWhereTheFieldIsNotOptional() {
        FieldCodec codec = codec("type: i16");

        assertThatExceptionOfType(FieldValueException.class)
                .isThrownBy(() -> codec.setValue(dirty(), RECORD, null))
                .withMessage("field=a value=: is absent, but the field is not optional");
        assertThatExceptionOfType(FieldValueException.class)
                .isThrownBy(() -> codec.setText(dirty(), RECORD, ""))
                .withMessage("field=a value=: is empty, but the field is not optional");
    }

    @Test
    void shouldRefuseATextThatEndsInPadding() {
        assertThatExceptionOfType(FieldValueException.class)
                .isThrownBy(() -> codec("type: string, length: 4").setText(dirty(), RECORD, "ab "))
                .withMessageContaining("ends in what pads the field");
    }

    @Test
    void shouldRefuseValuesOfOtherTypes() {
        for (String attributes : new String[] {
            "type: i16",
            "type: decimal, scale: 2",
            "type: f64",
            "type: date",
            "type: instant, unit: s",
            "type: enum, values: [x]",
            "type: boolean",
            "type: string, length: 4",
            "type: bytes, length: 4",
            "type: ipv4"
        }) {
            assertThatExceptionOfType(FieldValueException.class)
                    .isThrownBy(() -> codec(attributes).setValue(dirty(), RECORD, RejectReason.Kind.NO_MATCH))
                    .withMessageStartingWith("field=a value=NO_MATCH: is a Kind, the field takes ");
        }
    }

    @Test
    void shouldDecodeARecordInTheOrderOfItsFields() {
        RecordCodec codec = RecordCodec.of(Schemas.builtIn().get("trade"));
        byte[] bytes = new byte[41];
        codec.codec("amount1").setValue(bytes, 2, new BigDecimal("12.50"));

        Map<String, Object> values = codec.decode(bytes, 2);

        assertThat(values.keySet()).containsExactlyElementsOf(codec.schema().names());
        assertThat(values)
                .containsEntry("tradeDate", LocalDate.EPOCH)
                .containsEntry("buySell", "Buy")
                .containsEntry("currency1", "")
                .containsEntry("amount1", new BigDecimal("12.50"))
                .containsEntry("exchangeRate", 0.0)
                .containsEntry("id", 0L);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> codec.codec("amount"))
                .withMessage("Unknown field 'amount' in schema 'trade'. Did you mean 'amount1'?");
    }

    @Test
    void shouldKeepMomentsBeforeTheEpoch() {
        InstantCodec codec = (InstantCodec) codec("type: instant, unit: us");
        byte[] bytes = dirty();

        codec.put(bytes, RECORD, Instant.EPOCH.minusNanos(1000));

        assertThat(codec.epochUnits(bytes, RECORD)).isEqualTo(-1);
        assertThat(codec.get(bytes, RECORD)).isEqualTo(Instant.EPOCH.minusNanos(1000));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            f64 | 9007199254740993     | is a whole number that 8 bytes of floating point hold only as 9007199254740992
            f64 | 9223372036854775807  | is a whole number that 8 bytes of floating point hold only as 9223372036854775808
            f32 | 16777217             | is a whole number that 4 bytes of floating point hold only as 16777216
            """)
    void shouldRefuseAWholeNumberThatFloatingPointWouldRound(String type, long number, String reason) {
        FieldCodec codec = codec("type: " + type);
        byte[] bytes = dirty();

        for (Object value : new Object[] {number, BigInteger.valueOf(number), new BigDecimal(number + ".00")}) {
            assertThatExceptionOfType(FieldValueException.class)
                    .isThrownBy(() -> codec.setValue(bytes, RECORD, value))
                    .withMessageEndingWith(": " + reason);
        }
        assertThatExceptionOfType(FieldValueException.class)
                .isThrownBy(() -> codec.setText(bytes, RECORD, Long.toString(number)))
                .withMessageEndingWith(": " + reason);
        assertThatExceptionOfType(FieldValueException.class)
                .isThrownBy(() -> codec.setValue(bytes, RECORD, BigInteger.TEN.pow(400)))
                .withMessageEndingWith(": is out of range");
        assertThat(bytes).isEqualTo(dirty());
    }

    @Test
    void shouldTakeTheNearestDoubleOfADecimal() {
        DoubleCodec codec = (DoubleCodec) codec("type: f64");
        byte[] bytes = dirty();

        codec.setText(bytes, RECORD, "1.344");
        assertThat(codec.get(bytes, RECORD)).isEqualTo(1.344);
        codec.setValue(bytes, RECORD, new BigDecimal("-0.1"));
        assertThat(codec.get(bytes, RECORD)).isEqualTo(-0.1);
        codec.setValue(bytes, RECORD, 1L << 60);
        assertThat(codec.get(bytes, RECORD)).isEqualTo(0x1p60);
        codec.setText(bytes, RECORD, "9007199254740992");
        assertThat(codec.get(bytes, RECORD)).isEqualTo(0x1p53);
        codec.setText(bytes, RECORD, "-0");
        assertThat(codec.get(bytes, RECORD)).isEqualTo(-0.0);
    }

    @ParameterizedTest
    @CsvSource({"2", "3", "4", "5", "6", "7", "8"})
    void shouldWriteNothingOfANumberThatDoesNotLieInside(int width) {
        for (ByteOrder order : new ByteOrder[] {ByteOrder.BIG_ENDIAN, ByteOrder.LITTLE_ENDIAN}) {
            IntStorage storage = IntStorage.of(width, true, order);
            for (int inside = -1; inside < width; inside++) {
                byte[] bytes = dirty();
                int at = inside < 0 ? -1 : bytes.length - inside;
                assertThatExceptionOfType(IndexOutOfBoundsException.class)
                        .isThrownBy(() -> RawBytes.put(bytes, at, storage, 1));
                assertThat(bytes).isEqualTo(dirty());
            }
        }
    }
}
