package io.millrace.model.classfile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.codec.FieldValueException;
import io.millrace.model.ModelException;
import io.millrace.model.ModelWriter;
import io.millrace.schema.Schema;
import io.millrace.schema.yaml.SchemaReader;
import io.millrace.view.RecordViews;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.lang.reflect.Array;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Time;
import java.sql.Timestamp;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.MonthDay;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Arrays;
import java.util.Currency;
import java.util.Date;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedSet;
import java.util.UUID;
import java.util.stream.Stream;
import javax.xml.datatype.DatatypeFactory;
import javax.xml.datatype.XMLGregorianCalendar;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Java types of single values and of repeating parts: imported, stored, read, serialized and edited. */
@SuppressWarnings("JavaUtilDate") // applications have such members
class ValueTypesTest {

    /** A member of any type. */
    public interface Holder<V> {
        @Nullable
        V getValue();

        void setValue(@Nullable V value);
    }

    /** A constant of an application. */
    public enum Side {
        SELL,
        BUY
    }

    /** A part of several values. */
    public interface Leg {
        int getNumber();
    }

    // An interface for each type, because the import reads the types of methods.
    public interface CharacterHolder extends Holder<Character> {}

    public interface UuidHolder extends Holder<UUID> {}

    public interface CurrencyHolder extends Holder<Currency> {}

    public interface LocaleHolder extends Holder<Locale> {}

    public interface UriHolder extends Holder<URI> {}

    public interface LocalTimeHolder extends Holder<LocalTime> {}

    public interface OffsetTimeHolder extends Holder<OffsetTime> {}

    public interface OffsetDateTimeHolder extends Holder<OffsetDateTime> {}

    public interface ZonedDateTimeHolder extends Holder<ZonedDateTime> {}

    public interface DurationHolder extends Holder<Duration> {}

    public interface PeriodHolder extends Holder<Period> {}

    public interface YearHolder extends Holder<Year> {}

    public interface YearMonthHolder extends Holder<YearMonth> {}

    public interface MonthDayHolder extends Holder<MonthDay> {}

    public interface ZoneIdHolder extends Holder<ZoneId> {}

    public interface ZoneOffsetHolder extends Holder<ZoneOffset> {}

    public interface XmlTimeHolder extends Holder<XMLGregorianCalendar> {}

    public interface SqlDateHolder extends Holder<java.sql.Date> {}

    public interface SqlTimeHolder extends Holder<Time> {}

    public interface TimestampHolder extends Holder<Timestamp> {}

    public interface DateHolder extends Holder<Date> {}

    public interface LocalDateTimeHolder extends Holder<LocalDateTime> {}

    public interface DayOfWeekHolder extends Holder<DayOfWeek> {}

    public interface SideHolder extends Holder<Side> {}

    public interface BigIntegerHolder extends Holder<BigInteger> {}

    public interface BytesHolder extends Holder<byte[]> {}

    public interface IntsHolder extends Holder<int[]> {}

    public interface CharsHolder extends Holder<char[]> {}

    public interface DoublesHolder extends Holder<double[]> {}

    public interface TextsHolder extends Holder<String[]> {}

    public interface UuidsHolder extends Holder<List<UUID>> {}

    public interface TextSetHolder extends Holder<Set<String>> {}

    public interface SideSetHolder extends Holder<Set<Side>> {}

    public interface NumberSetHolder extends Holder<Set<Long>> {}

    /** Optional values of primitive types. */
    public interface Optionals {
        OptionalInt getNumber();

        void setNumber(OptionalInt value);

        OptionalLong getLarge();

        void setLarge(OptionalLong value);

        OptionalDouble getReal();

        void setReal(OptionalDouble value);

        Optional<UUID> getId();

        void setId(Optional<UUID> value);

        char getLetter();

        void setLetter(char value);
    }

    public interface SortedHolder extends Holder<SortedSet<String>> {}

    public interface LegSetHolder extends Holder<Set<Leg>> {}

    public interface MapHolder extends Holder<Map<String, String>> {}

    record Case(Class<? extends Holder<?>> type, Object value) {
        @Override
        public String toString() {
            return type.getSimpleName() + " " + (value.getClass().isArray() ? "array" : value);
        }
    }

    static Stream<Case> values() throws Exception {
        DatatypeFactory xml = DatatypeFactory.newInstance();
        return Stream.of(
                new Case(CharacterHolder.class, 'x'),
                new Case(CharacterHolder.class, '\0'),
                new Case(CharacterHolder.class, '€'),
                new Case(UuidHolder.class, new UUID(0, 0)),
                new Case(UuidHolder.class, new UUID(-1, Long.MIN_VALUE)),
                new Case(CurrencyHolder.class, Currency.getInstance("JPY")),
                new Case(LocaleHolder.class, Locale.ROOT),
                new Case(LocaleHolder.class, Locale.forLanguageTag("zh-Hant-TW-x-java")),
                new Case(UriHolder.class, URI.create("https://example.com/ü?a=%20#b")),
                new Case(LocalTimeHolder.class, LocalTime.MIDNIGHT),
                new Case(LocalTimeHolder.class, LocalTime.MAX),
                new Case(OffsetTimeHolder.class, OffsetTime.MIN),
                new Case(OffsetTimeHolder.class, OffsetTime.MAX),
                new Case(OffsetDateTimeHolder.class, OffsetDateTime.parse("2026-11-28T10:00:00+02:00")),
                new Case(OffsetDateTimeHolder.class, OffsetDateTime.MIN),
                new Case(OffsetDateTimeHolder.class, OffsetDateTime.MAX),
                // The second hour of two in a night of autumn.
                new Case(ZonedDateTimeHolder.class, ZonedDateTime.parse("2026-10-25T02:30+01:00[Europe/Berlin]")),
                new Case(ZonedDateTimeHolder.class, ZonedDateTime.parse("2026-10-25T02:30+02:00[Europe/Berlin]")),
                new Case(ZonedDateTimeHolder.class, ZonedDateTime.parse("2026-10-25T02:30Z")),
                new Case(DurationHolder.class, Duration.ofSeconds(Long.MIN_VALUE)),
                new Case(DurationHolder.class, Duration.ofSeconds(Long.MAX_VALUE, 999_999_999)),
                new Case(DurationHolder.class, Duration.ofMillis(-1)),
                new Case(PeriodHolder.class, Period.of(Integer.MIN_VALUE, Integer.MAX_VALUE, -1)),
                new Case(YearHolder.class, Year.of(2026)),
                new Case(YearHolder.class, Year.of(-44)),
                new Case(YearMonthHolder.class, YearMonth.of(2026, 2)),
                new Case(MonthDayHolder.class, MonthDay.of(2, 29)),
                new Case(ZoneIdHolder.class, ZoneId.of("America/Argentina/ComodRivadavia")),
                new Case(ZoneIdHolder.class, ZoneOffset.MIN),
                new Case(ZoneOffsetHolder.class, ZoneOffset.ofHoursMinutesSeconds(-1, -2, -3)),
                new Case(XmlTimeHolder.class, xml.newXMLGregorianCalendar("2026-11-28T10:00:00.1234567890123+02:00")),
                new Case(XmlTimeHolder.class, xml.newXMLGregorianCalendar("--11-28")),
                new Case(SqlDateHolder.class, java.sql.Date.valueOf("1969-12-31")),
                new Case(SqlTimeHolder.class, Time.valueOf("23:59:59")),
                new Case(TimestampHolder.class, Timestamp.from(Instant.parse("1969-12-31T23:59:59.000000001Z"))),
                new Case(DateHolder.class, new Date(-1)),
                new Case(LocalDateTimeHolder.class, LocalDateTime.parse("1700-01-01T00:00:00.000000001")),
                new Case(DayOfWeekHolder.class, DayOfWeek.SUNDAY),
                new Case(SideHolder.class, Side.SELL),
                new Case(BigIntegerHolder.class, BigInteger.valueOf(Long.MIN_VALUE)),
                new Case(BytesHolder.class, new byte[0]),
                new Case(BytesHolder.class, allBytes()),
                new Case(IntsHolder.class, new int[] {Integer.MIN_VALUE, 0, Integer.MAX_VALUE}),
                new Case(IntsHolder.class, new int[0]),
                new Case(CharsHolder.class, new char[] {'a', '\0', 'ß'}),
                new Case(DoublesHolder.class, new double[] {-0.0, Double.NaN, Double.MIN_VALUE}),
                new Case(TextsHolder.class, new String[] {"", "b", "a"}),
                new Case(UuidsHolder.class, List.of(new UUID(1, 2), new UUID(0, 0))),
                new Case(TextSetHolder.class, new LinkedHashSet<>(List.of("b", "", "a"))),
                new Case(SideSetHolder.class, new LinkedHashSet<>(List.of(Side.SELL, Side.BUY))),
                new Case(NumberSetHolder.class, Set.of(3L, -1L, 2L)));
    }

    private static byte[] allBytes() {
        byte[] bytes = new byte[255];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) (i + 1);
        }
        bytes[7] = 0;
        return bytes;
    }

    @ParameterizedTest
    @MethodSource("values")
    void shouldReturnTheValueOfTheObject(Case each) throws Exception {
        check(each.type(), each.value());
    }

    @SuppressWarnings("unchecked")
    private static <H extends Holder<?>> void check(Class<H> type, Object value) throws Exception {
        RecordViews<H> views = views(type);
        H mutable = views.create();
        ((Holder<Object>) mutable).setValue(value);
        assertEqual(mutable.getValue(), value);

        H view = views.view(mutable);
        assertEqual(view.getValue(), value);
        assertThat(view).isEqualTo(views.of(views.bytes(mutable)));
        assertEqual(views.edit(view).getValue(), value);
        assertThat(views.isValid(view)).isTrue();
        assertEqual(((Holder<?>) read(written(view))).getValue(), value);

        boolean empty = value instanceof int[] ints && ints.length == 0; // as a repeating part that is absent
        H other = views.edit(view);
        ((Holder<Object>) other).setValue(null);
        assertThat(views.view(other).equals(view)).isEqualTo(empty);
    }

    private static void assertEqual(@Nullable Object actual, Object expected) {
        // Arrays.deepEquals compares arrays by content, and NaN with itself.
        assertThat(Arrays.deepEquals(new @Nullable Object[] {actual}, new Object[] {expected}))
                .as("%s is %s", actual, expected)
                .isTrue();
    }

    private static byte[] written(Object object) throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(object);
        }
        return bytes.toByteArray();
    }

    private static Object read(byte[] bytes) throws Exception {
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes))) {
            return in.readObject();
        }
    }

    private static <H> RecordViews<H> views(Class<H> type) throws Exception {
        return RecordViews.of(type, schema(type));
    }

    private static Schema schema(Class<?> type) throws Exception {
        String text = ModelWriter.write(
                ClassImport.read("holder", type.getName(), List.of(classes()), ClassImport.Options.NONE)
                        .schema());
        return SchemaReader.read("holder.yml", text.getBytes(StandardCharsets.UTF_8));
    }

    private static Path classes() throws URISyntaxException {
        return Path.of(ValueTypesTest.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
    }

    @ParameterizedTest
    @MethodSource("values")
    void shouldReturnNullForAnAbsentValue(Case each) throws Exception {
        Object value = views(each.type()).create().getValue();

        boolean many = each.value() instanceof Set || each.value() instanceof List;
        boolean array = each.value().getClass().isArray() && !(each.value() instanceof byte[]);
        if (many) {
            assertThat((Iterable<?>) value).isEmpty();
        } else if (array) {
            assertThat(value).isNotNull();
            assertThat(Array.getLength(value)).isZero();
        } else {
            assertThat(value).isNull();
        }
    }

    static Stream<Case> inexact() throws Exception {
        return Stream.of(
                new Case(CharacterHolder.class, '\uD800'),
                // No language tag names it: the tag of this locale is nn-NO.
                new Case(
                        LocaleHolder.class,
                        new Locale.Builder().setLanguage("no").build()),
                new Case(LocaleHolder.class, legacyLocale()),
                new Case(SqlDateHolder.class, new java.sql.Date(1)),
                new Case(SqlTimeHolder.class, new Time(1)),
                new Case(LocalDateTimeHolder.class, LocalDateTime.MAX),
                new Case(DateHolder.class, new Date(Long.MAX_VALUE)),
                new Case(DateHolder.class, Timestamp.from(Instant.ofEpochSecond(0, 1))),
                new Case(BigIntegerHolder.class, BigInteger.TWO.pow(63)),
                new Case(BytesHolder.class, new byte[256]));
    }

    @SuppressWarnings("deprecation") // how applications get it
    private static Locale legacyLocale() {
        return new Locale("no", "NO", "NY");
    }

    @ParameterizedTest
    @MethodSource("inexact")
    @SuppressWarnings("unchecked")
    void shouldReturnTheValueOrRefuseIt(Case each) throws Exception {
        RecordViews<? extends Holder<?>> views = views(each.type());
        Holder<Object> mutable = (Holder<Object>) views.create();
        try {
            mutable.setValue(each.value());
        } catch (IllegalArgumentException | FieldValueException e) {
            assertThat(e).hasMessageContaining("nvalid value");
            return;
        }
        assertEqual(mutable.getValue(), each.value());
    }

    @Test
    void shouldHaveOptionalsOfPrimitiveTypes() throws Exception {
        RecordViews<Optionals> views = views(Optionals.class);
        Optionals values = views.create();
        assertThat(values.getNumber()).isEmpty();
        assertThat(values.getLarge()).isEmpty();
        assertThat(values.getReal()).isEmpty();
        assertThat(values.getId()).isEmpty();
        assertThat(values.getLetter()).isEqualTo('\0');

        values.setNumber(OptionalInt.of(Integer.MIN_VALUE));
        values.setLarge(OptionalLong.of(Long.MAX_VALUE));
        values.setReal(OptionalDouble.of(-0.0));
        values.setId(Optional.of(new UUID(1, 2)));
        values.setLetter('ß');

        Optionals view = views.view(values);
        assertThat(view.getNumber()).hasValue(Integer.MIN_VALUE);
        assertThat(view.getLarge()).hasValue(Long.MAX_VALUE);
        assertThat(view.getReal()).hasValue(-0.0);
        assertThat(view.getId()).contains(new UUID(1, 2));
        assertThat(view.getLetter()).isEqualTo('ß');
        values.setNumber(OptionalInt.empty());
        assertThat(values.getNumber()).isEmpty();
    }

    @Test
    void shouldGiveEqualSetsEqualBytes() throws Exception {
        RecordViews<TextSetHolder> views = views(TextSetHolder.class);
        TextSetHolder one = views.create();
        one.setValue(new LinkedHashSet<>(List.of("a", "b", "c")));
        TextSetHolder other = views.create();
        other.setValue(new LinkedHashSet<>(List.of("c", "a", "b")));

        assertThat(views.view(one)).isEqualTo(views.view(other)).hasSameHashCodeAs(views.view(other));
    }

    @Test
    void shouldReturnCopiesOfArraysAndSets() throws Exception {
        RecordViews<IntsHolder> views = views(IntsHolder.class);
        IntsHolder holder = views.create();
        holder.setValue(new int[] {1, 2});
        int[] copy = Objects.requireNonNull(holder.getValue());
        copy[0] = 9;
        assertThat(holder.getValue()).containsExactly(1, 2);

        TextSetHolder texts = views(TextSetHolder.class).create();
        texts.setValue(Set.of("a"));
        Set<String> set = Objects.requireNonNull(texts.getValue());
        assertThatThrownBy(() -> set.add("b")).isInstanceOf(UnsupportedOperationException.class);
    }

    static Stream<Class<?>> refused() {
        return Stream.of(SortedHolder.class, LegSetHolder.class, MapHolder.class);
    }

    @ParameterizedTest
    @MethodSource("refused")
    void shouldRefuseTypesThatWouldChange(Class<?> type) {
        assertThatThrownBy(() -> schema(type))
                .isInstanceOf(ModelException.class)
                .hasMessageContaining("value: Type java.util.");
    }

    @Test
    void shouldRefuseAnOffsetThatTheFieldDoesNotHold() {
        Schema schema = SchemaReader.read("t.yml", """
                schema: t
                layout: compact
                fields:
                  - { name: value, type: instant, unit: ns, optional: true }
                """.getBytes(StandardCharsets.UTF_8));
        RecordViews<OffsetDateTimeHolder> views = RecordViews.of(OffsetDateTimeHolder.class, schema);
        OffsetDateTimeHolder holder = views.create();
        holder.setValue(OffsetDateTime.parse("2026-11-28T10:00Z"));
        assertThat(holder.getValue()).isEqualTo(OffsetDateTime.parse("2026-11-28T10:00Z"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> holder.setValue(OffsetDateTime.parse("2026-11-28T10:00+02:00")))
                .withMessageContaining("The field does not hold the offset");
    }

    @Test
    void shouldReadUuidsFromBytes() {
        Schema schema = SchemaReader.read("t.yml", """
                schema: t
                layout: fixed
                fields:
                  - { name: value, type: bytes, length: 16 }
                """.getBytes(StandardCharsets.UTF_8));
        RecordViews<UuidHolder> views = RecordViews.of(UuidHolder.class, schema);
        UuidHolder holder = views.create();
        holder.setValue(UUID.fromString("00010203-0405-0607-0809-0a0b0c0d0e0f"));
        assertThat(views.bytes(holder)).containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
        assertThat(holder.getValue()).hasToString("00010203-0405-0607-0809-0a0b0c0d0e0f");
    }

    @Test
    void shouldSayThatATextIsNotOfTheType() {
        Schema schema = SchemaReader.read("t.yml", """
                schema: t
                layout: compact
                fields:
                  - { name: value, type: string, length: 40, optional: true }
                """.getBytes(StandardCharsets.UTF_8));
        RecordViews<UuidHolder> uuids = RecordViews.of(UuidHolder.class, schema);
        RecordViews<TextHolder> texts = RecordViews.of(TextHolder.class, schema);
        TextHolder text = texts.create();
        text.setValue("other");
        UuidHolder holder = uuids.of(texts.bytes(text));

        assertThatIllegalArgumentException()
                .isThrownBy(holder::getValue)
                .withMessage("Invalid value 'other' of 'value' for a getter of type UUID. Use String.");
        text.setValue("");
        assertThat(uuids.of(texts.bytes(text)).getValue()).isNull();
    }

    public interface TextHolder extends Holder<String> {}

    public interface AddressHolder extends Holder<InetAddress> {}

    @Test
    void shouldReturnAddressesWithoutTheirHostNames() throws Exception {
        AddressHolder holder = views(AddressHolder.class).create();
        InetAddress address = InetAddress.getByAddress("host.example", new byte[] {10, 0, 0, 1});
        holder.setValue(address);

        assertThat(address).hasToString("host.example/10.0.0.1");
        assertThat(holder.getValue()).isEqualTo(address).hasToString("/10.0.0.1");
    }

    /** The scale of the field, whatever the scale of the number that was set. */
    @Test
    void shouldReturnDecimalsWithTheScaleOfTheField() throws Exception {
        RecordViews<DecimalHolder> views = views(DecimalHolder.class);
        DecimalHolder holder = views.create();
        holder.setValue(new BigDecimal("12.3"));
        assertThat(holder.getValue()).isEqualTo(new BigDecimal("12.300000"));
        holder.setValue(new BigDecimal("12.40000000"));
        assertThat(holder.getValue()).isEqualTo(new BigDecimal("12.400000"));
        BigDecimal precise = new BigDecimal("0.1234567");
        assertThatThrownBy(() -> holder.setValue(precise))
                .isInstanceOf(FieldValueException.class)
                .hasMessage("Invalid value '0.1234567' of 'value'. Use at most 6 decimals, not 7.");
    }

    /** A type with several getters that can't hold their values. */
    public interface Wrong {
        int getId();

        Part getPart();

        List<Integer> getMarks();
    }

    public interface Part {
        UUID getDay();
    }

    @Test
    void shouldReportAllGettersThatCantHoldTheirValues() {
        Schema schema = SchemaReader.read("t.yml", """
                schema: t
                layout: compact
                fields:
                  - { name: id, type: i64 }
                  - name: part
                    type: group
                    fields:
                      - { name: day, type: date }
                  - { name: marks, type: string, length: 5, repeat: many }
                """.getBytes(StandardCharsets.UTF_8));

        assertThatIllegalArgumentException()
                .isThrownBy(() -> RecordViews.of(Wrong.class, schema))
                .satisfies(e -> assertThat(String.valueOf(e.getMessage()).lines())
                        .satisfiesExactly(
                                id -> assertThat(id).contains("Wrong.getId() can't hold the values of 'id'"),
                                marks -> assertThat(marks).contains("Wrong.getMarks() can't hold the values of 'marks"),
                                day -> assertThat(day).contains("Part.getDay() can't hold the values of 'part.day'")));
    }

    public interface DecimalHolder extends Holder<BigDecimal> {}
}
