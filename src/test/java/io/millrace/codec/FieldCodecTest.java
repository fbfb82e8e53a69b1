package io.millrace.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.millrace.schema.IntStorage;
import io.millrace.schema.Schema;
import io.millrace.schema.yaml.SchemaReader;
import io.millrace.schema.yaml.Schemas;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

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
            type: decimal, scale: 2                     | 1.005          | Use at most 2 decimals, not 3.
            type: decimal, scale: 2, as: i16            | 327.68         | Use -327.68 to 327.67.
            type: decimal, scale: 2, as: u16            | -0.01          | Use 0.00 to 655.35.
            type: decimal, scale: 2                     | 1e999999999    | Use -92233720368547758.08 to 92233720368547758.07.
            type: decimal, scale: 2                     | 1,5            | Use a number, such as 1234.5.
            type: decimal, scale: 2, min: 0             | -1.00          | Use 0 or more.
            type: decimal, scale: 2, max: 10            | 10.01          | Use 10 or less.
            type: u8                                    | 256            | Use 0 to 255.
            type: u8                                    | 1.0            | Use a whole number, 0 to 255.
            type: u8, min: 3                            | 2              | Use 3 or more.
            type: u64                                   | -1             | Use a whole number, 0 to 18446744073709551615.
            type: date                                  | 1969-12-31     | Use 1970-01-01 to 2149-06-06.
            type: date                                  | 2149-06-07     | Use 1970-01-01 to 2149-06-06.
            type: date                                  | 2014-02-30     | Use a date of the form yyyy-MM-dd.
            type: date, format: dd/MM/yyyy              | 31/02/2014     | Use a date of the form dd/MM/yyyy.
            type: date, format: dd/MM/yyyy              | 2014-07-21     | Use a date of the form dd/MM/yyyy.
            type: instant, unit: s                      | 2014-07-21T09:30:00.5Z | Use whole seconds.
            type: instant, unit: ns                     | 2300-01-01T00:00:00Z | Use 1677-09-21T00:12:43.145224192Z to 2262-04-11T23:47:16.854775807Z.
            type: instant, unit: s                      | yesterday      | Use an instant of the form 2014-07-21T09:30:00Z.
            type: 'enum', values: ['', EUR, GBP]        | XXX            | Use one of: '', 'EUR', 'GBP'.
            type: 'enum', values: [Buy, Sell]           | Short          | Use one of: 'Sell', 'Buy'.
            type: 'enum', values: [Buy, Sell]           | buy            | Did you mean 'Buy'?
            type: 'enum', values: [Buy, Sell], pattern: B.* | Sell       | Use a text that matches 'B.*'.
            type: boolean                               | yes            | Use true or false.
            type: f64                                   | 1.3.4          | Use a number, such as 1234.5.
            type: f64, max: 2                           | 2.0000000000000004 | Use 2 or less.
            type: f64, max: 2                           | NaN            | Use a number: the field has a smallest or a largest one.
            type: f32                                   | 1e39           | Use -3.4028235E38 to 3.4028235E38.
            type: string, length: 3                     | abcd           | Use at most 3 bytes, not 4.
            type: string, length: 3                     | é              | Use characters of US-ASCII.
            type: string, length: 3, charset: latin1    | €              | Use characters of ISO-8859-1.
            type: string, length: 3, charset: utf8      | €€             | Use at most 3 bytes, not 6.
            type: string, length: 3, pattern: '[a-z]+'  | A              | Use a text that matches '[a-z]+'.
            type: string, length: 9, charset: utf8, min: 2, max: 3 | é | Use 2 or more characters, not 1.
            type: string, length: 9, charset: utf8, max: 3 | 😀😀      | Use 3 or fewer characters, not 4.
            type: bytes, length: 2                      | 0g             | Use hexadecimal digits.
            type: ipv4                                  | 1.2.3          | Use an IPv4 address.
            type: ipv4                                  | 1.2.3.256      | Use an IPv4 address.
            type: ipv4                                  | 01.2.3.4       | Use an IPv4 address.
            type: ipv4                                  | localhost      | Use an IPv4 address.
            type: ipv6                                  | 1.2.3.4        | Use an IPv6 address.
            type: ipv6                                  | 1:2:3:4:5:6:7::8:9 | Use an IPv6 address.
            type: ipv6                                  | ::1::          | Use an IPv6 address.
            type: ipv6                                  | 1:2:3:4:5:6:7  | Use an IPv6 address.
            type: ipv6                                  | fe80::1%eth0   | Use an IPv6 address.
            """)
    void shouldRefuseToWrite(String attributes, String text, String reason) {
        FieldCodec codec = codec(attributes);
        byte[] bytes = dirty();

        assertThatExceptionOfType(FieldValueException.class)
                .isThrownBy(() -> codec.setText(bytes, RECORD, text))
                .satisfies(refused -> assertThat(refused.field()).isEqualTo("a"))
                .satisfies(refused -> assertThat(refused.getMessage()).endsWith("'. " + reason));
        assertThat(bytes).isEqualTo(dirty());
    }

    /** The same texts end a match of {@link java.util.regex} with a stack overflow, or take it hours. */
    @ParameterizedTest
    @ValueSource(strings = {"([a-z]|[0-9])*", "(a*)*a*[0-9]?", "(a|aa)+"})
    @Timeout(60)
    void shouldMatchALongTextInLinearTime(String pattern) {
        FieldCodec codec = codec("type: string, length: 1000001, pattern: '" + pattern + "'");
        byte[] bytes = new byte[RECORD + codec.field().end()];
        String text = "a".repeat(1_000_000);

        codec.setText(bytes, RECORD, text);

        assertThat(codec.text(bytes, RECORD)).isEqualTo(text);
        assertThatExceptionOfType(FieldValueException.class).isThrownBy(() -> codec.setText(bytes, RECORD, text + "!"));
    }

    @Test
    void shouldNameFieldAndValueInTheMessage() {
        FieldCodec amount = RecordCodec.of(Schemas.builtIn().get("trade")).codec("amount1");

        assertThatExceptionOfType(FieldValueException.class)
                .isThrownBy(() -> amount.setText(new byte[39], 0, "1.005"))
                .withMessage("Invalid value '1.005' of 'amount1'. Use at most 2 decimals, not 3.")
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
            type: boolean                                     | Invalid value '165' of 'a'. Use 0 or 1.
            type: 'enum', values: [Buy, Sell]                 | Invalid value '165' of 'a'. No name of the dictionary has this code.
            type: 'enum', values: { 164: Buy, 166: Sell }     | Invalid value '165' of 'a'. No name of the dictionary has this code.
            type: string, length: 2                           | Invalid value 'a5a5' of 'a'. The bytes are not text in US-ASCII.
            type: string, length: 2, charset: utf8            | Invalid value 'a5a5' of 'a'. The bytes are not text in UTF-8.
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
                .withMessage(
                        "Invalid value '11936128518282651045' of 'a'. Use BigInteger: the largest long is 9223372036854775807.");
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

    /** An empty text in CSV is absent; as a value, a text that would be read as absent is refused. */
    @ParameterizedTest
    @CsvSource({
        "'type: string, length: 4', ''",
        "'type: bytes, length: 2', 0000",
        "'type: ipv4', 0.0.0.0",
        "'type: ipv6', '::'"
    })
    void shouldRefuseTheValueThatStandsForAbsent(String attributes, String text) {
        FieldCodec reserving = codec(attributes + ", optional: true");
        Object value = text.equals("0000") ? new byte[2] : text;

        assertThatExceptionOfType(FieldValueException.class)
                .isThrownBy(() -> reserving.setValue(dirty(), RECORD, value))
                .withMessageContaining("stands for absent");
        for (String kind : List.of("", ", optional: true, absent: flag")) {
            FieldCodec codec = codec(attributes + kind);
            byte[] bytes = dirty();
            codec.setValue(bytes, RECORD, value);
            assertThat(codec.value(bytes, RECORD)).isEqualTo(value);
        }
    }

    @Test
    void shouldRefuseAbsentWhereTheFieldIsNotOptional() {
        FieldCodec codec = codec("type: i16");

        assertThatExceptionOfType(FieldValueException.class)
                .isThrownBy(() -> codec.setValue(dirty(), RECORD, null))
                .withMessage("Invalid value '' of 'a'. Write a value: the field is not optional.");
        assertThatExceptionOfType(FieldValueException.class)
                .isThrownBy(() -> codec.setText(dirty(), RECORD, ""))
                .withMessage("Invalid value '' of 'a'. Write a value: the field is not optional.");
    }

    @Test
    void shouldRefuseATextThatEndsInPadding() {
        assertThatExceptionOfType(FieldValueException.class)
                .isThrownBy(() -> codec("type: string, length: 4").setText(dirty(), RECORD, "ab "))
                .withMessageContaining("Remove its last character");
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
                    .withMessageStartingWith("Invalid value 'NO_MATCH' of 'a'. Use ");
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
            f64 | 9007199254740993     | Use a number that 8 bytes of floating point can store exactly, such as 9007199254740992.
            f64 | 9223372036854775807  | Use a number that 8 bytes of floating point can store exactly, such as 9223372036854775808.
            f32 | 16777217             | Use a number that 4 bytes of floating point can store exactly, such as 16777216.
            """)
    void shouldRefuseAWholeNumberThatFloatingPointWouldRound(String type, long number, String reason) {
        FieldCodec codec = codec("type: " + type);
        byte[] bytes = dirty();

        for (Object value : new Object[] {number, BigInteger.valueOf(number), new BigDecimal(number + ".00")}) {
            assertThatExceptionOfType(FieldValueException.class)
                    .isThrownBy(() -> codec.setValue(bytes, RECORD, value))
                    .withMessageEndingWith("'. " + reason);
        }
        assertThatExceptionOfType(FieldValueException.class)
                .isThrownBy(() -> codec.setText(bytes, RECORD, Long.toString(number)))
                .withMessageEndingWith("'. " + reason);
        assertThatExceptionOfType(FieldValueException.class)
                .isThrownBy(() -> codec.setValue(bytes, RECORD, BigInteger.TEN.pow(400)))
                .withMessageContaining(". Use -");
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
