package io.millrace.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.millrace.codec.FieldValueException;
import io.millrace.codec.RecordCodec;
import io.millrace.schema.Schema;
import io.millrace.schema.yaml.SchemaReader;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RecordViewsTest {

    private static final Schema SCHEMA = SchemaReader.read("all.yml", """
            schema: all
            fields:
              - { name: id, type: u64 }
              - { name: small, type: u16 }
              - { name: wide, type: u32 }
              - { name: price, type: decimal, scale: 2 }
              - { name: ratio, type: f64 }
              - { name: day, type: date }
              - { name: seen, type: instant, unit: ms }
              - { name: isin, type: string, length: 4 }
              - { name: open, type: boolean }
              - { name: side, type: enum, values: [Buy, Sell] }
              - { name: raw, type: bytes, length: 2 }
              - { name: host, type: ipv4 }
              - { name: count, type: i32, optional: true }
              - { name: note, type: string, length: 4, optional: true }
            """.getBytes(StandardCharsets.UTF_8));
    private static final RecordCodec CODEC = RecordCodec.of(SCHEMA);

    /** A getter for each field, in all forms. */
    interface Whole {
        long getId();

        int small();

        Long getWide();

        BigDecimal getPrice();

        double getRatio();

        LocalDate day();

        Instant getSeen();

        String getIsin();

        boolean isOpen();

        CharSequence getSide();

        byte[] getRaw();

        Object getHost();

        @Nullable
        Long getCount();

        @Nullable
        String getNote();

        default String title() {
            return getIsin() + "@" + getPrice();
        }

        static String kind() {
            return "whole";
        }

        @Override
        String toString();
    }

    /** Takes over what another has. */
    public interface Wider extends Priced {
        long id();
    }

    /** A price. */
    public interface Priced {
        Number getPrice();
    }

    private static byte[] row() {
        byte[] row = new byte[SCHEMA.recordLength()];
        CODEC.codec("id").setValue(row, 0, 1L << 40);
        CODEC.codec("small").setValue(row, 0, 65_535L);
        CODEC.codec("wide").setValue(row, 0, 4_000_000_000L);
        CODEC.codec("price").setValue(row, 0, new BigDecimal("-12.50"));
        CODEC.codec("ratio").setValue(row, 0, 0.1);
        CODEC.codec("day").setValue(row, 0, LocalDate.of(2014, 7, 28));
        CODEC.codec("seen").setValue(row, 0, Instant.ofEpochMilli(1_600_000_000_123L));
        CODEC.codec("isin").setValue(row, 0, "ab");
        CODEC.codec("open").setValue(row, 0, true);
        CODEC.codec("side").setValue(row, 0, "Sell");
        CODEC.codec("raw").setValue(row, 0, new byte[] {1, -1});
        CODEC.codec("host").setValue(row, 0, "10.0.0.1");
        CODEC.codec("count").setValue(row, 0, null);
        CODEC.codec("note").setValue(row, 0, null);
        return row;
    }

    private static <T> RecordViews<T> views(Class<T> view) {
        return RecordViews.of(view, SCHEMA.names(), CODEC::codec);
    }

    @Test
    void shouldGiveTheValueOfEachField() {
        Whole whole = views(Whole.class).of(row());

        assertThat(whole.getId()).isEqualTo(1L << 40);
        assertThat(whole.small()).isEqualTo(65_535);
        assertThat(whole.getWide()).isEqualTo(4_000_000_000L);
        assertThat(whole.getPrice()).isEqualTo(new BigDecimal("-12.50"));
        assertThat(whole.getRatio()).isEqualTo(0.1);
        assertThat(whole.day()).isEqualTo("2014-07-28");
        assertThat(whole.getSeen()).isEqualTo("2020-09-13T12:26:40.123Z");
        assertThat(whole.getIsin()).isEqualTo("ab");
        assertThat(whole.isOpen()).isTrue();
        assertThat(whole.getSide()).isEqualTo("Sell");
        assertThat(whole.getRaw()).containsExactly(1, -1);
        assertThat(whole.getHost()).isEqualTo("10.0.0.1");
        assertThat(whole.getCount()).isNull();
        assertThat(whole.getNote()).isNull();
        assertThat(whole.title()).isEqualTo("ab@-12.50");

        byte[] other = row();
        CODEC.codec("count").setValue(other, 0, -7L);
        CODEC.codec("note").setValue(other, 0, "n");
        assertThat(views(Whole.class).of(other).getCount()).isEqualTo(-7L);
        assertThat(views(Whole.class).of(other).getNote()).isEqualTo("n");
    }

    @Test
    void shouldTakeOverGetters() {
        Wider wider = views(Wider.class).of(row());

        assertThat(wider.getPrice()).isEqualTo(new BigDecimal("-12.50"));
        assertThat(wider.id()).isEqualTo(1L << 40);
        assertThat(RecordViews.fields(Wider.class, SCHEMA.names())).containsExactlyInAnyOrder("id", "price");
    }

    /** An unsigned number of 64 bits. */
    public interface Unsigned {
        long id();

        Number getId();
    }

    @Test
    void shouldGiveUnsignedNumbersPastLongAsObjects() {
        byte[] row = row();
        CODEC.codec("id").setValue(row, 0, BigInteger.TWO.pow(63));
        Unsigned unsigned = views(Unsigned.class).of(row);

        assertThat(unsigned.getId()).isEqualTo(BigInteger.TWO.pow(63));
        assertThatExceptionOfType(FieldValueException.class)
                .isThrownBy(unsigned::id)
                .withMessageContaining("Use BigInteger: the largest long is 9223372036854775807.");
    }

    @Test
    void shouldBeEqualByContent() {
        RecordViews<Priced> views = views(Priced.class);
        byte[] other = row();
        CODEC.codec("id").setValue(other, 0, 5L);

        assertThat(views.of(row())).isEqualTo(views.of(row())).hasSameHashCodeAs(views.of(row()));
        assertThat(views.of(row()))
                .isNotEqualTo(views.of(other))
                .isNotEqualTo(views(Wider.class).of(row()));
        assertThat(views.of(row())).hasToString("Priced[price=-12.50]");
    }

    @Test
    void shouldSayWhichBytesAreNoValue() {
        byte[] row = row();
        row[CODEC.codec("side").field().offset()] = 9;
        Whole whole = views(Whole.class).of(row);

        assertThat(whole.getId()).isEqualTo(1L << 40);
        assertThatExceptionOfType(FieldValueException.class)
                .isThrownBy(whole::getSide)
                .withMessageContaining("Invalid value '9' of 'side'.");
    }

    /** Interfaces that are none of a view. */
    static final class Wrong {
        interface NoField {
            long getColour();
        }

        interface Parameter {
            long getId(int which);
        }

        interface Narrow {
            int getWide();
        }

        interface Absent {
            long getCount();
        }

        interface Other {
            Integer getWide();
        }

        interface Exact {
            double getPrice();
        }

        enum Constants {
            A
        }

        sealed interface Sealed permits Permitted {
            long getId();
        }

        record Permitted(long getId) implements Sealed {}
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                Wrong.NoField.class,
                Wrong.Parameter.class,
                Wrong.Narrow.class,
                Wrong.Absent.class,
                Wrong.Other.class,
                Wrong.Exact.class,
                Wrong.Constants.class,
                Wrong.Sealed.class
            })
    void shouldRefuseWhatIsNoViewOfTheFields(Class<?> view) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> views(view))
                .withMessageContaining(view.getSimpleName())
                .withMessageMatching(
                        ".*( is not a getter or setter of a field. | can't hold the values of '|Unable to create views of ).*");
    }
}
