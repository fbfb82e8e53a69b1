package io.millrace.feed.generator;

import io.millrace.codec.DateCodec;
import io.millrace.codec.DecimalCodec;
import io.millrace.codec.FieldCodec;
import io.millrace.codec.InstantCodec;
import io.millrace.codec.LongCodec;
import io.millrace.codec.NumberedCodec;
import io.millrace.schema.IntStorage;
import java.time.Instant;
import java.time.LocalDate;
import java.time.temporal.ChronoUnit;

/** Generates stored numbers: realistic ones if the field accepts any of them, else any that it accepts. */
final class NumberFiller {

    private static final Instant FROM = Instant.parse("2014-07-21T00:00:00Z");
    private static final Instant TO = Instant.parse("2024-07-21T00:00:00Z");
    private static final long MILLION = 1_000_000;

    private NumberFiller() {}

    /** Generates integers up to a million; a field named {@code id} counts up from 1 until its range is exhausted. */
    static Filler of(LongCodec codec) {
        Filler any = within(codec, 0, MILLION, codec::put);
        boolean counts = codec.field().name().equals("id") && codec.storage().bits() > 31;
        return !counts || codec.lowestRaw() > 1 || codec.field().optional()
                ? any
                : (into, at, record, draws) -> {
                    if (Long.compareUnsigned(record, codec.highestRaw()) < 0) {
                        codec.put(into, at, record + 1);
                    } else {
                        any.fill(into, at, record, draws);
                    }
                };
    }

    static Filler of(DecimalCodec codec) {
        long unit = (long) Math.pow(10, Math.min(codec.scale(), 12));
        return within(codec, 0, unit * MILLION, codec::putUnscaled);
    }

    static Filler of(DateCodec codec) {
        return within(codec, days(FROM), days(TO), codec::putEpochDay);
    }

    private static long days(Instant instant) {
        return ChronoUnit.DAYS.between(Instant.EPOCH, instant) + LocalDate.EPOCH.toEpochDay();
    }

    static Filler of(InstantCodec codec) {
        ChronoUnit unit = codec.unit().toChronoUnit();
        return within(codec, unit.between(Instant.EPOCH, FROM), unit.between(Instant.EPOCH, TO), codec::putEpochUnits);
    }

    /** Writes a stored number to a record. */
    private interface Setter {
        void put(byte[] bytes, int record, long raw);
    }

    private static Filler within(NumberedCodec codec, long realLow, long realHigh, Setter setter) {
        IntStorage storage = codec.storage();
        long lowest = codec.lowestRaw();
        // Numbers above Long.MAX_VALUE are not generated.
        long highest = storage.unsignedLong() && codec.highestRaw() < 0 ? Long.MAX_VALUE : codec.highestRaw();
        boolean overlaps = realLow <= highest && realHigh >= lowest;
        long low = overlaps ? Math.max(lowest, realLow) : lowest;
        long high = overlaps ? Math.min(highest, realHigh) : highest;
        FieldCodec field = codec;
        boolean optional = field.field().optional() && !field.field().nullFlag();
        long nullRaw = field.field().nullRaw();
        return (into, at, _, draws) -> {
            long raw = draws.between(low, high);
            if (optional && raw == nullRaw) {
                field.putAbsent(into, at);
            } else {
                setter.put(into, at, raw);
            }
        };
    }
}
