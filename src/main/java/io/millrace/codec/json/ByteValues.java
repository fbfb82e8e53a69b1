package io.millrace.codec.json;

import io.millrace.codec.DateCodec;
import io.millrace.codec.DecimalCodec;
import io.millrace.codec.DoubleCodec;
import io.millrace.codec.EnumCodec;
import io.millrace.codec.FieldCodec;
import io.millrace.codec.FieldValueException;
import io.millrace.codec.InstantCodec;
import io.millrace.codec.LongCodec;
import io.millrace.codec.StringCodec;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;

/** The {@link ByteValue} of each type. Stateless. */
final class ByteValues {

    private static final long[] POWERS =
            LongStream.iterate(1, power -> 10 * power).limit(19).toArray();

    /** The quotient of a whole number up to 2^53 and a power of ten up to 10^22 is exactly rounded. */
    private static final long MAX_EXACT = 1L << 53;

    private ByteValues() {}

    static ByteValue of(FieldCodec codec) {
        return switch (codec) {
            case LongCodec whole -> new Whole(whole);
            case DecimalCodec decimal -> new Decimal(decimal);
            case DoubleCodec real when real.field().type().bytes() == Double.BYTES -> new Real(real);
            case StringCodec text -> new Text(text);
            case EnumCodec name -> new Name(name);
            case DateCodec day when day.field().format() == null -> new Day(day);
            case InstantCodec instant when instant.field().format() == null -> new Moment(instant);
            default -> new ByteValue() {};
        };
    }

    private record Whole(LongCodec codec) implements ByteValue {
        @Override
        public boolean putNumber(JsonScanner json, byte[] into, int at) {
            if (!json.isPlain() || json.decimals() != 0) {
                return false;
            }
            codec.put(into, at, json.unscaled());
            return true;
        }
    }

    private record Decimal(DecimalCodec codec) implements ByteValue {
        @Override
        public boolean putNumber(JsonScanner json, byte[] into, int at) {
            if (!json.isPlain()) {
                return false;
            }
            long unscaled = json.unscaled();
            int missing = codec.scale() - json.decimals();
            if (missing < 0) {
                long power = POWERS[-missing];
                if (unscaled % power != 0) {
                    return false;
                }
                unscaled /= power;
            } else if (Math.multiplyHigh(unscaled, POWERS[missing]) == (unscaled * POWERS[missing]) >> 63) {
                unscaled *= POWERS[missing];
            } else {
                return false;
            }
            try {
                codec.putUnscaled(into, at, unscaled);
                return true;
            } catch (FieldValueException _) {
                // The codec shows the number as it was written.
                return false;
            }
        }
    }

    private record Real(DoubleCodec codec) implements ByteValue {
        @Override
        public boolean putNumber(JsonScanner json, byte[] into, int at) {
            long unscaled = Math.abs(json.unscaled());
            if (!json.isPlain() || unscaled > MAX_EXACT) {
                return false;
            }
            double value = (double) unscaled / POWERS[json.decimals()];
            codec.put(into, at, json.isNegative() ? -value : value);
            return true;
        }
    }

    private record Text(StringCodec codec) implements ByteValue {
        @Override
        public boolean putText(JsonScanner json, byte[] into, int at) {
            return codec.putUtf8(into, at, json.textBytes(), json.textAt(), json.textLength(), json.isAscii());
        }
    }

    /** Names that the field accepts. An empty name can mean absent, so the codec decides. */
    private static final class Name implements ByteValue {
        private final EnumCodec codec;
        private final NameTable names;
        private final int[] codes;

        Name(EnumCodec codec) {
            this.codec = codec;
            List<Map.Entry<Integer, String>> accepted = codec.dictionary().namesByCode().entrySet().stream()
                    .filter(entry -> !entry.getValue().isEmpty()
                            && codec.field().constraint().refusal(entry.getValue()) == null)
                    .toList();
            names = new NameTable(accepted.stream().map(Map.Entry::getValue).toList());
            codes = accepted.stream().mapToInt(Map.Entry::getKey).toArray();
        }

        @Override
        public boolean putText(JsonScanner json, byte[] into, int at) {
            int index = names.index(json.textBytes(), json.textAt(), json.textLength());
            if (index < 0) {
                return false;
            }
            codec.putCode(into, at, codes[index]);
            return true;
        }
    }

    private record Day(DateCodec codec) implements ByteValue {
        @Override
        public boolean putText(JsonScanner json, byte[] into, int at) {
            long epochDay = json.textLength() == IsoTime.DATE_BYTES
                    ? IsoTime.epochDay(json.textBytes(), json.textAt())
                    : IsoTime.NONE;
            return epochDay != IsoTime.NONE && put(into, at, epochDay);
        }

        private boolean put(byte[] into, int at, long epochDay) {
            try {
                codec.putEpochDay(into, at, epochDay);
                return true;
            } catch (FieldValueException _) {
                return false;
            }
        }
    }

    private static final class Moment implements ByteValue {
        private final InstantCodec codec;
        private final IsoTime time;

        Moment(InstantCodec codec) {
            this.codec = codec;
            time = new IsoTime(codec.unit());
        }

        @Override
        public boolean putText(JsonScanner json, byte[] into, int at) {
            long units = time.units(json.textBytes(), json.textAt(), json.textLength());
            if (units == IsoTime.NONE) {
                return false;
            }
            try {
                codec.putEpochUnits(into, at, units);
                return true;
            } catch (FieldValueException _) {
                return false;
            }
        }
    }
}
