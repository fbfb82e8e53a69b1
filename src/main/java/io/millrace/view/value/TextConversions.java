package io.millrace.view.value;

import io.millrace.schema.Field;
import java.math.BigInteger;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.sql.Time;
import java.time.Duration;
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
import java.util.Currency;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import javax.xml.datatype.DatatypeConfigurationException;
import javax.xml.datatype.DatatypeFactory;
import javax.xml.datatype.XMLGregorianCalendar;
import org.jspecify.annotations.Nullable;

/**
 * Converts texts to types that have a text form, if it identifies the value. An empty text is null, as no such value is
 * empty. Stateless.
 */
final class TextConversions {

    private static final Map<Class<?>, TextForm> FORMS = Map.ofEntries(
            form(UUID.class, UUID::fromString),
            form(Currency.class, Currency::getInstance),
            Map.entry(Locale.class, new TextForm(Locale::forLanguageTag, locale -> ((Locale) locale).toLanguageTag())),
            form(URI.class, URI::create),
            form(LocalTime.class, LocalTime::parse),
            form(OffsetTime.class, OffsetTime::parse),
            form(OffsetDateTime.class, OffsetDateTime::parse),
            form(ZonedDateTime.class, ZonedDateTime::parse),
            form(Duration.class, Duration::parse),
            form(Period.class, Period::parse),
            form(Year.class, Year::parse),
            form(YearMonth.class, YearMonth::parse),
            form(MonthDay.class, MonthDay::parse),
            form(ZoneId.class, ZoneId::of),
            form(ZoneOffset.class, ZoneOffset::of),
            form(BigInteger.class, BigInteger::new),
            form(Time.class, Time::valueOf),
            Map.entry(
                    XMLGregorianCalendar.class,
                    new TextForm(
                            text -> Xml.TYPES.newXMLGregorianCalendar(text),
                            time -> ((XMLGregorianCalendar) time).toXMLFormat())));

    private record TextForm(Function<String, Object> parse, Function<Object, String> format) {}

    /** Loaded when the first such value is read. */
    private static final class Xml {
        private static final DatatypeFactory TYPES = types();

        private static DatatypeFactory types() {
            try {
                return DatatypeFactory.newInstance();
            } catch (DatatypeConfigurationException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    private TextConversions() {}

    private static Map.Entry<Class<?>, TextForm> form(Class<?> type, Function<String, Object> parse) {
        return Map.entry(type, new TextForm(parse, Object::toString));
    }

    /** Returns the conversion of a text field's values, or null if the type has no text form. */
    static @Nullable Conversion of(Class<?> type, Field field) {
        if (type == Character.class) {
            return new Conversion(
                    text -> character((String) text, field),
                    character -> character.equals('\0') ? "" : character.toString());
        }
        if (type == byte[].class) {
            return new Conversion(
                    text -> bytes((String) text, field),
                    bytes -> new String((byte[]) bytes, StandardCharsets.ISO_8859_1));
        }
        TextForm form = FORMS.get(type);
        return form == null
                ? null
                : new Conversion(
                        text -> ((String) text).isEmpty() ? null : parse(form, type, (String) text, field),
                        value -> format(form, type, value, field));
    }

    private static Object character(String text, Field field) {
        if (text.length() > 1) {
            throw invalid(text, char.class, field, null);
        }
        return text.isEmpty() ? '\0' : text.charAt(0);
    }

    private static Object bytes(String text, Field field) {
        byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        if (!new String(bytes, StandardCharsets.ISO_8859_1).equals(text)) {
            throw invalid(text, byte[].class, field, null);
        }
        return bytes;
    }

    private static Object parse(TextForm form, Class<?> type, String text, Field field) {
        try {
            return form.parse().apply(text);
        } catch (RuntimeException e) {
            throw invalid(text, type, field, e);
        }
    }

    private static Object format(TextForm form, Class<?> type, Object value, Field field) {
        String text = form.format().apply(value);
        // Such as a locale that no language tag names, or a time of day with milliseconds.
        if (text.isEmpty() || !parse(form, type, text, field).equals(value)) {
            throw new IllegalArgumentException("Invalid value '" + value + "' of '" + field.name() + "'. Its text, '"
                    + text + "', does not identify it.");
        }
        return text;
    }

    private static IllegalArgumentException invalid(
            String text, Class<?> type, Field field, @Nullable RuntimeException cause) {
        return new IllegalArgumentException(
                "Invalid value '" + text + "' of '" + field.name() + "' for a getter of type " + type.getSimpleName()
                        + ". Use String.",
                cause);
    }
}
