package io.millrace.codec;

import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.TimeFormats;
import java.math.BigInteger;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.apiguardian.api.API;

/** Reads and writes instants, stored as the number of units since 1970-01-01T00:00Z. */
@API(status = API.Status.STABLE)
public final class InstantCodec extends NumberedCodec {

    private static final long NANOS_PER_SECOND = 1_000_000_000;

    private final TimeUnit unit;
    private final long unitsPerSecond;
    private final DateTimeFormatter formatter;

    InstantCodec(Field field, FieldType.InstantType type) {
        super(field);
        unit = type.unit();
        unitsPerSecond = unit.convert(1, TimeUnit.SECONDS);
        String pattern = field.format();
        formatter = pattern == null ? DateTimeFormatter.ISO_INSTANT : TimeFormats.strict(pattern);
    }

    /** Returns the unit of the stored number. */
    public TimeUnit unit() {
        return unit;
    }

    /** Returns the units since 1970-01-01T00:00Z. Allocates nothing. */
    public long epochUnits(byte[] bytes, int record) {
        return rawNumber(bytes, record);
    }

    /** Writes an instant given as units since 1970-01-01T00:00Z. Allocates nothing. */
    public void putEpochUnits(byte[] bytes, int record, long units) {
        writeNumber(bytes, record, units);
    }

    /** Returns the instant. */
    public Instant get(byte[] bytes, int record) {
        return instant(checkedRaw(bytes, record));
    }

    private Instant instant(long units) {
        return Instant.ofEpochSecond(
                Math.floorDiv(units, unitsPerSecond),
                Math.floorMod(units, unitsPerSecond) * (NANOS_PER_SECOND / unitsPerSecond));
    }

    /** Writes an instant, which must be a multiple of the field's unit. */
    public void put(byte[] bytes, int record, Instant value) {
        put(bytes, record, value, value);
    }

    private void put(byte[] bytes, int record, Instant value, Object shownAs) {
        long nanosPerUnit = NANOS_PER_SECOND / unitsPerSecond;
        if (value.getNano() % nanosPerUnit != 0) {
            throw refuse(shownAs, "Use whole " + unit.name().toLowerCase(Locale.ROOT) + ".");
        }
        BigInteger units = BigInteger.valueOf(value.getEpochSecond())
                .multiply(BigInteger.valueOf(unitsPerSecond))
                .add(BigInteger.valueOf(value.getNano() / nanosPerUnit));
        writeNumber(bytes, record, units, shownAs);
    }

    @Override
    String show(long number, boolean unsigned) {
        boolean isMoment = typeBounds().holds(number) && !(unsigned && number < 0);
        return isMoment ? instant(number).toString() : super.show(number, unsigned);
    }

    @Override
    Object decode(byte[] bytes, int record) {
        return get(bytes, record);
    }

    @Override
    void encode(byte[] bytes, int record, Object value) {
        if (!(value instanceof Instant moment)) {
            throw refuseType(value, "an Instant");
        }
        put(bytes, record, moment);
    }

    @Override
    String format(byte[] bytes, int record) {
        Instant moment = get(bytes, record);
        String text = formatter.format(moment);
        if (field().format() != null && !restores(text, moment)) {
            throw refuse(moment, "The format " + field().format() + " can't show this instant.");
        }
        return text;
    }

    private boolean restores(String text, Instant moment) {
        try {
            return moment.equals(TimeFormats.instant(formatter, text));
        } catch (DateTimeException _) {
            return false;
        }
    }

    @Override
    void parse(byte[] bytes, int record, String text) {
        Instant moment;
        try {
            moment = TimeFormats.instant(formatter, text);
        } catch (DateTimeException _) {
            String format = field().format();
            throw refuse(
                    text, "Use an instant of the form " + (format == null ? "2014-07-21T09:30:00Z" : format) + ".");
        }
        put(bytes, record, moment, text);
    }
}
