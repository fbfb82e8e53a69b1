package io.millrace.feed.generator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.fail;

import io.millrace.codec.RecordBatch;
import io.millrace.codec.RecordCodec;
import io.millrace.codec.check.RecordValidator;
import io.millrace.schema.Schema;
import io.millrace.schema.yaml.SchemaReader;
import io.millrace.schema.yaml.Schemas;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RecordGeneratorTest {

    private static final Schema TRADE = Schemas.builtIn().get("trade");

    private static byte[] records(Schema schema, long seed, int count) {
        byte[] bytes = new byte[count * schema.baseLength()];
        RecordGenerator.of(schema, seed).fill(bytes, 0, count);
        return bytes;
    }

    private static <T> T of(Map<String, Object> record, String field, Class<T> type) {
        return type.cast(Objects.requireNonNull(record.get(field)));
    }

    @Test
    void shouldMakeTheSameRecordsInWhateverPortions() {
        byte[] atOnce = records(TRADE, 42, 1000);
        byte[] inParts = new byte[3 + 39_000];
        Arrays.fill(inParts, (byte) 0x5A);
        RecordGenerator generator = RecordGenerator.of(TRADE, 42);
        for (int at = 0, portion = 1; at < 1000; at += portion, portion = Math.min(portion + 7, 1000 - at)) {
            generator.fill(inParts, 3 + at * 39, portion);
        }

        assertThat(Arrays.copyOfRange(inParts, 3, inParts.length)).isEqualTo(atOnce);
        assertThat(Arrays.copyOf(inParts, 3)).containsOnly(0x5A);
        assertThat(records(TRADE, 43, 1000)).isNotEqualTo(atOnce);
    }

    @Test
    void shouldMakeTextsOfTheAllowedLength() {
        Schema schema = SchemaReader.read("t.yml", """
                schema: t
                fields:
                  - { name: text, type: string, length: 30, min: 20, max: 25 }
                """.getBytes(StandardCharsets.UTF_8));
        byte[] bytes = records(schema, 7, 100);
        RecordCodec codec = RecordCodec.of(schema);
        for (int i = 0; i < 100; i++) {
            assertThat(of(codec.decode(bytes, i * 30), "text", String.class)).hasSizeBetween(20, 25);
        }
    }

    @Test
    void shouldMakeTradesThatLookLikeTrades() {
        int count = 20_000;
        byte[] bytes = records(TRADE, 7, count);
        RecordCodec codec = RecordCodec.of(TRADE);
        int large = 0;
        Set<Object> currencies = new HashSet<>();
        Set<Object> sides = new HashSet<>();
        for (int i = 0; i < count; i++) {
            Map<String, Object> trade = codec.decode(bytes, i * 39);
            BigDecimal amount1 = of(trade, "amount1", BigDecimal.class);
            BigDecimal rate = BigDecimal.valueOf(of(trade, "exchangeRate", Double.class));
            LocalDate traded = of(trade, "tradeDate", LocalDate.class);
            LocalDate settled = of(trade, "settlementDate", LocalDate.class);
            assertThat(trade).containsEntry("id", i + 1L);
            assertThat(trade.get("currency1"))
                    .isNotEqualTo(trade.get("currency2"))
                    .isNotEqualTo("");
            assertThat(rate.scale()).isLessThanOrEqualTo(4);
            assertThat(trade).containsEntry("amount2", amount1.multiply(rate).setScale(2, RoundingMode.HALF_UP));
            assertThat(amount1).isBetween(new BigDecimal("1000"), new BigDecimal("150000000"));
            assertThat(traded).isBetween(LocalDate.of(2014, 7, 21), LocalDate.of(2015, 7, 20));
            assertThat(settled).isBetween(traded.plusDays(2), traded.plusDays(30));
            large += amount1.compareTo(new BigDecimal(1_000_000)) > 0 ? 1 : 0;
            currencies.add(trade.get("currency1"));
            currencies.add(trade.get("currency2"));
            sides.add(trade.get("buySell"));
        }
        assertThat(large).isBetween(count * 85 / 100, count * 90 / 100);
        assertThat(currencies).containsExactlyInAnyOrder("AUD", "CAD", "CHF", "EUR", "GBP", "JPY", "USD");
        assertThat(sides).containsExactlyInAnyOrder("Buy", "Sell");
    }

    @Test
    void shouldMakeValidRecordsOfAnySchema() {
        Schema schema = SchemaReader.read("t.yml", """
                schema: t
                byte-order: little
                fields:
                  - { name: id, type: u40 }
                  - { name: a, type: i8, min: -3, max: -1 }
                  - { name: b, type: u64 }
                  - { name: c, type: decimal, scale: 3, as: i24, max: -1.5 }
                  - { name: d, type: date, as: i16, optional: true }
                  - { name: e, type: instant, unit: ns }
                  - { name: f, type: enum, as: u16, values: { 3: x, 300: y }, pattern: x }
                  - { name: g, type: boolean, at: 60, bits: 3 }
                  - { name: h, type: u8, at: 60, bits: 4..7, optional: true }
                  - { name: i, type: enum, at: 60, bits: 0..2, values: [p, q, r] }
                  - { name: j, type: f32, min: 0.1, max: 0.2 }
                  - { name: k, type: f64, max: -5, optional: true }
                  - { name: l, type: string, length: 9, pattern: "[a-z]{2,4}" }
                  - { name: m, type: string, length: 20, charset: utf8, optional: true }
                  - { name: n, type: bytes, length: 3, optional: true }
                  - { name: o, type: ipv6 }
                  - { name: p, type: group, repeat: 2, fields: [{ name: q, type: u8, min: 250 }] }
                  - { name: r, type: i64 }
                  - { name: s, type: instant, unit: s, as: u32 }
                """.getBytes(StandardCharsets.UTF_8));
        int count = 5000;
        byte[] bytes = records(schema, 3, count);
        RecordBatch batch = new RecordBatch(schema).fill(bytes, 0, count, 0, bytes.length);

        RecordValidator.of(schema).admit(batch, (_, _, reason) -> fail(reason.detail()));

        RecordCodec codec = RecordCodec.of(schema);
        int absent = 0;
        for (int i = 0; i < count; i++) {
            Map<String, Object> record = codec.decode(bytes, batch.offset(i));
            assertThat(record).containsEntry("id", i + 1L).containsEntry("f", "x");
            assertThat(of(record, "l", String.class)).matches("[a-z]{2,4}");
            absent += record.get("d") == null ? 1 : 0;
        }
        assertThat(absent).isBetween(count / 32, count / 8);
    }

    @Test
    void shouldSayWhichPatternItFindsNoTextFor() {
        Schema schema = SchemaReader.read("t.yml", """
                schema: t
                fields: [{ name: a, type: string, length: 9, pattern: "XY-[0-9]{6}" }]
                """.getBytes(StandardCharsets.UTF_8));

        assertThatIllegalArgumentException()
                .isThrownBy(() -> RecordGenerator.of(schema, 1))
                .withMessage(
                        "Unable to generate a text for field 'a' that matches 'XY-[0-9]{6}'. Use a simpler pattern.");
    }

    @Test
    void shouldRefuseAnArrayThatIsTooShort() {
        assertThatExceptionOfType(IndexOutOfBoundsException.class)
                .isThrownBy(() -> RecordGenerator.of(TRADE, 1).fill(new byte[77], 0, 2));
    }
}
