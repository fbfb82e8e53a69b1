package io.millrace.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.millrace.codec.check.RecordValidator;
import io.millrace.schema.Constraint;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.IntStorage;
import io.millrace.schema.Schema;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Every width, sign, byte order and slice, over whole ranges of values, in dirtied arrays at offsets other than 0. */
class NumberRoundTripTest {

    private static final int RECORD = 3;
    private static final int OFFSET = 2;

    @Provide
    Arbitrary<IntStorage> storages() {
        Arbitrary<IntStorage> words = Combinators.combine(
                        Arbitraries.integers().between(1, 8),
                        Arbitraries.of(true, false),
                        Arbitraries.of(ByteOrder.BIG_ENDIAN, ByteOrder.LITTLE_ENDIAN))
                .as(IntStorage::of);
        Arbitrary<IntStorage> slices = words.flatMap(word -> Arbitraries.integers()
                .between(0, 8 * word.bytes() - 1)
                .flatMap(low -> Arbitraries.integers()
                        .between(1, 8 * word.bytes() - low)
                        .map(width -> word.slice(low, width))));
        return Arbitraries.oneOf(words, slices);
    }

    private static LongCodec codec(IntStorage storage) {
        return (LongCodec) FieldCodecs.of(Field.of("n", new FieldType.IntegerType(storage), OFFSET));
    }

    private static BigInteger min(IntStorage storage) {
        return storage.signed() ? BigInteger.TWO.pow(storage.bits() - 1).negate() : BigInteger.ZERO;
    }

    private static BigInteger max(IntStorage storage) {
        return min(storage).add(BigInteger.TWO.pow(storage.bits())).subtract(BigInteger.ONE);
    }

    private static BigInteger inRange(IntStorage storage, Random random) {
        return switch (random.nextInt(6)) {
            case 0 -> min(storage);
            case 1 -> max(storage);
            default -> min(storage).add(new BigInteger(storage.bits(), random));
        };
    }

    private static byte[] dirty(Random random, int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    /** The word's bits as a number, read in the plainest way there is. */
    private static BigInteger word(byte[] bytes, IntStorage storage) {
        byte[] word = Arrays.copyOfRange(bytes, RECORD + OFFSET, RECORD + OFFSET + storage.bytes());
        if (storage.order() == ByteOrder.LITTLE_ENDIAN) {
            for (int i = 0; i < word.length / 2; i++) {
                byte swapped = word[i];
                word[i] = word[word.length - 1 - i];
                word[word.length - 1 - i] = swapped;
            }
        }
        return new BigInteger(1, word);
    }

    @Property(tries = 5000)
    void shouldReadWhatWasWrittenAndTouchNothingElse(@ForAll("storages") IntStorage storage, @ForAll Random random) {
        LongCodec codec = codec(storage);
        BigInteger value = inRange(storage, random);
        byte[] bytes = dirty(random, RECORD + OFFSET + storage.bytes() + 4);
        byte[] before = bytes.clone();

        codec.setText(bytes, RECORD, value.toString());

        assertThat(codec.text(bytes, RECORD)).isEqualTo(value.toString());
        assertThat(codec.get(bytes, RECORD)).isEqualTo(value.longValue());
        BigInteger mask =
                BigInteger.TWO.pow(storage.bits()).subtract(BigInteger.ONE).shiftLeft(storage.shift());
        BigInteger expected = word(before, storage)
                .andNot(mask)
                .or(value.shiftLeft(storage.shift()).and(mask));
        assertThat(word(bytes, storage)).isEqualTo(expected);
        int end = RECORD + OFFSET + storage.bytes();
        assertThat(Arrays.copyOf(bytes, RECORD + OFFSET)).isEqualTo(Arrays.copyOf(before, RECORD + OFFSET));
        assertThat(Arrays.copyOfRange(bytes, end, bytes.length))
                .isEqualTo(Arrays.copyOfRange(before, end, bytes.length));
    }

    @Property
    void shouldRefuseWhatIsJustOutsideTheRangeAndWriteNothing(
            @ForAll("storages") IntStorage storage, @ForAll boolean above, @ForAll Random random) {
        LongCodec codec = codec(storage);
        BigInteger value =
                above ? max(storage).add(BigInteger.ONE) : min(storage).subtract(BigInteger.ONE);
        byte[] bytes = dirty(random, 20);
        byte[] before = bytes.clone();

        assertThatExceptionOfType(FieldValueException.class)
                .isThrownBy(() -> codec.setText(bytes, RECORD, value.toString()));
        assertThatExceptionOfType(FieldValueException.class).isThrownBy(() -> codec.setValue(bytes, RECORD, value));
        if (value.bitLength() <= 63) {
            assertThatExceptionOfType(FieldValueException.class)
                    .isThrownBy(() -> codec.put(bytes, RECORD, value.longValue()));
        }
        assertThat(bytes).isEqualTo(before);
    }

    @Property
    void shouldThrowWhereverTheArrayIsCut(@ForAll("storages") IntStorage storage, @ForAll Random random) {
        LongCodec codec = codec(storage);
        for (int length = 0; length < RECORD + OFFSET + storage.bytes(); length++) {
            byte[] cut = dirty(random, length);
            assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> codec.get(cut, RECORD));
            assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> codec.put(cut, RECORD, 0));
        }
        assertThatExceptionOfType(IndexOutOfBoundsException.class)
                .isThrownBy(() -> codec.get(new byte[20], -OFFSET - 1));
    }

    @Property
    void shouldReadDecimalsWithTheirScale(@ForAll("storages") IntStorage storage, @ForAll Random random) {
        int scale = random.nextInt(19);
        DecimalCodec codec = (DecimalCodec) FieldCodecs.of(Field.of("d", new FieldType.DecimalType(storage, scale), 1));
        BigDecimal value = new BigDecimal(inRange(storage, random), scale);
        byte[] bytes = dirty(random, 20);

        codec.put(bytes, 4, value);

        assertThat(codec.get(bytes, 4)).isEqualTo(value);
        assertThat(codec.text(bytes, 4)).isEqualTo(value.toPlainString());
        assertThat(codec.unscaled(bytes, 4)).isEqualTo(value.unscaledValue().longValue());
        codec.setText(bytes, 4, value.stripTrailingZeros().toString());
        assertThat(codec.value(bytes, 4)).isEqualTo(value);
    }

    @Property
    void shouldDistinguishAbsentFromEveryValue(@ForAll("storages") IntStorage storage, @ForAll Random random) {
        FieldType type = new FieldType.IntegerType(storage);
        FieldCodec codec = FieldCodecs.of(Field.of("n", type, OFFSET).asOptional(Field.defaultNullRaw(type)));
        byte[] bytes = dirty(random, 20);

        codec.setText(bytes, RECORD, "");

        assertThat(codec.isAbsent(bytes, RECORD)).isTrue();
        assertThat(codec.value(bytes, RECORD)).isNull();
        assertThat(codec.text(bytes, RECORD)).isEmpty();
        BigInteger absent = storage.signed() ? min(storage) : max(storage);
        assertThatExceptionOfType(FieldValueException.class)
                .isThrownBy(() -> codec.setValue(bytes, RECORD, absent))
                .withMessageContaining("stands for absent");
    }

    /** The validator's loops against the codecs' own judgement, one record after the other. */
    @Property
    void shouldRejectExactlyWhatIsOutsideTheConstraint(
            @ForAll("storages") IntStorage storage, @ForAll boolean optional, @ForAll Random random) {
        BigInteger one = inRange(storage, random);
        BigInteger other = inRange(storage, random);
        Field plain = Field.of("n", new FieldType.IntegerType(storage), OFFSET);
        Field field = new Field(
                "n",
                plain.type(),
                OFFSET,
                optional,
                Field.defaultNullRaw(plain.type()),
                new Constraint(new BigDecimal(one.min(other)), new BigDecimal(one.max(other)), null, false),
                "n",
                null);
        Schema schema = new Schema("t", 13, List.of(field), List.of());
        int count = 20;
        byte[] bytes = dirty(random, 5 + count * 13);
        RecordBatch batch = new RecordBatch(schema).fill(bytes, 5, count, 0, count * 13L);
        boolean[] rejected = new boolean[count];

        RecordValidator.of(schema).admit(batch, (b, ordinal, reason) -> rejected[ordinal] = true);

        int kept = 0;
        for (int i = 0; i < count; i++) {
            LongCodec codec = (LongCodec) FieldCodecs.of(field);
            BigInteger raw = new BigInteger(
                    codec.text(bytes, batch.offset(i)).isEmpty() ? one.toString() : codec.text(bytes, batch.offset(i)));
            boolean inside = raw.compareTo(one.min(other)) >= 0 && raw.compareTo(one.max(other)) <= 0;
            assertThat(rejected[i]).isEqualTo(!inside);
            if (inside) {
                assertThat(batch.selection()[kept++]).isEqualTo(i);
            }
        }
        assertThat(batch.selected()).isEqualTo(kept);
    }
}
