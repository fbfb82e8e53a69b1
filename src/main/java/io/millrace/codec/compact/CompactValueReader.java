package io.millrace.codec.compact;

import io.millrace.codec.IpText;
import io.millrace.codec.RawBytes;
import io.millrace.codec.compact.GroupPlan.MemberPlan.Kind;
import io.millrace.schema.CompactValue;
import io.millrace.schema.Dictionary;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.IntStorage;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.Charset;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Reads a single value of compact records in place, as {@link CompactFinder} and the codec of the field in rows do.
 * Immutable, so safe for use by many threads. Methods for primitive values allocate nothing.
 *
 * @param field the value
 * @param kind form of the bytes
 * @param width bytes of a value of fixed width, else 0
 * @param storage storage of a number in rows, else null
 * @param charset charset of a text, else null
 * @param frequent texts that are stored as a number
 */
public record CompactValueReader(
        Field field,
        Kind kind,
        int width,
        @Nullable IntStorage storage,
        @Nullable Charset charset,
        List<String> frequent) {

    /** Returns the reader of a value. */
    public static CompactValueReader of(CompactValue value) {
        FieldType type = value.field().type();
        Charset charset = type instanceof FieldType.StringType text ? text.charset() : null;
        Kind kind = PlanBuilder.kind(type);
        return new CompactValueReader(
                value.field(),
                kind,
                kind == Kind.RAW ? type.bytes() : 0,
                type instanceof FieldType.Numbered numbered ? numbered.storage() : null,
                charset,
                value.frequent());
    }

    /** Returns the offset past the value, which must not exceed an offset. */
    public int end(byte[] bytes, int at, int end) {
        int next;
        // Comparisons, because a switch reads an array that is no constant to the JIT compiler.
        if (kind == Kind.TEXT) {
            next = FinderSteps.textEnd(bytes, at, end, !frequent.isEmpty());
        } else if (kind == Kind.REAL) {
            next = realEnd(bytes, at, end);
        } else {
            next = kind == Kind.RAW ? at + width : varintEnd(bytes, at, end);
        }
        if (next < 0 || next > end) {
            throw CompactWalk.truncated(field.name(), at);
        }
        return next;
    }

    private int varintEnd(byte[] bytes, int at, int end) {
        return CompactWalk.varintEnd(bytes, at, end, field.name());
    }

    private int realEnd(byte[] bytes, int at, int end) {
        if (at >= end) {
            throw CompactWalk.truncated(field.name(), at);
        }
        return switch (bytes[at]) {
            case CompactNumbers.DOUBLE -> at + 1 + Double.BYTES;
            case CompactNumbers.FLOAT -> at + 1 + Float.BYTES;
            default -> varintEnd(bytes, at + 1, end);
        };
    }

    /**
     * Returns the stored number of a value that is one.
     *
     * @throws IllegalArgumentException if the field can't hold it
     */
    public long number(byte[] bytes, int at) {
        // The varint is read in one place: with a copy of that code for each kind, this method would be too large to
        // be inlined, and the kind would be no constant.
        long raw = Varint.get(bytes, at);
        if (kind == Kind.SIGNED) {
            raw = Varint.unzigzag(raw);
        } else if (kind == Kind.DECIMAL) {
            raw = decimal(raw, Varint.length(bytes[at]));
        } else if (kind == Kind.DATE) {
            raw = Varint.unzigzag(raw) + CompactNumbers.EPOCH_DAY;
        }
        if (storage == null || !storage.holds(raw)) {
            throw invalid(Long.toString(raw));
        }
        return raw;
    }

    private long decimal(long varint, int length) {
        try {
            return CompactNumbers.decimal(varint, length);
        } catch (ArithmeticException _) {
            throw invalid("more than 2^63");
        }
    }

    /** Returns a number that is exactly representable as a long, unlike an unsigned one of 2^63 or more. */
    public long exactNumber(byte[] bytes, int at) {
        long raw = number(bytes, at);
        if (raw < 0 && storage != null && storage.unsignedLong()) {
            throw new IllegalArgumentException("Invalid value '" + Long.toUnsignedString(raw) + "' of '" + field.name()
                    + "'. Use BigInteger: the largest long is " + Long.MAX_VALUE + ".");
        }
        return raw;
    }

    /** Returns a floating-point number. */
    public double real(byte[] bytes, int at) {
        int head = bytes[at];
        double value;
        if (head == CompactNumbers.DOUBLE) {
            value = Double.longBitsToDouble(RawBytes.getLong(bytes, at + 1));
        } else if (head == CompactNumbers.FLOAT) {
            value = Float.intBitsToFloat(RawBytes.getInt(bytes, at + 1));
        } else if (head >= 0 && head <= CompactNumbers.MAX_EXPONENT) {
            value = CompactNumbers.real(Varint.unzigzag(Varint.get(bytes, at + 1)), head);
        } else {
            throw invalid("form " + (head & 0xFF));
        }
        return field.type().bytes() == Float.BYTES ? (float) value : value;
    }

    /** Returns the value, of the type's {@link FieldType#javaType()}. */
    public Object value(byte[] bytes, int at) {
        return switch (field.type()) {
            case FieldType.IntegerType(var whole) -> {
                long raw = number(bytes, at);
                yield raw < 0 && whole.unsignedLong() ? unsigned(raw) : (Object) raw;
            }
            case FieldType.DecimalType(var whole, int scale) -> {
                long raw = number(bytes, at);
                yield raw < 0 && whole.unsignedLong()
                        ? new BigDecimal(unsigned(raw), scale)
                        : BigDecimal.valueOf(raw, scale);
            }
            case FieldType.DateType _ -> LocalDate.ofEpochDay(number(bytes, at));
            case FieldType.InstantType(var ignoredStorage, TimeUnit unit) -> instant(number(bytes, at), unit);
            case FieldType.EnumType(var ignoredStorage, Dictionary names) -> {
                long code = number(bytes, at);
                String name = names.name(code);
                if (name == null) {
                    throw invalid(Long.toString(code));
                }
                yield name;
            }
            case FieldType.BooleanType _ -> truth(at);
            case FieldType.FloatType(int bytesOfReal, var ignoredOrder) ->
                bytesOfReal == Float.BYTES ? (Object) (float) real(bytes, at) : (Object) real(bytes, at);
            case FieldType.StringType _ -> text(bytes, at);
            case FieldType.BytesType _ -> Arrays.copyOfRange(bytes, at, at + width);
            case FieldType.IpType _ -> IpText.format(bytes, at, width);
        };
    }

    /** Returns the value of a boolean, which is the entry of the index instead of an offset. */
    public static boolean truth(int entry) {
        return entry == MemberSteps.TRUE;
    }

    /** Returns the value of an element that is a single value; a boolean has bytes there. */
    public Object element(byte[] bytes, int at) {
        if (!(field.type() instanceof FieldType.BooleanType)) {
            return value(bytes, at);
        }
        long raw = number(bytes, at);
        if (raw != 0 && raw != 1) {
            throw invalid(Long.toString(raw));
        }
        return raw == 1;
    }

    private static BigInteger unsigned(long raw) {
        return new BigInteger(Long.toUnsignedString(raw));
    }

    private static Instant instant(long units, TimeUnit unit) {
        long perSecond = unit.convert(1, TimeUnit.SECONDS);
        long nanos = Math.floorMod(units, perSecond) * (1_000_000_000 / perSecond);
        return Instant.ofEpochSecond(Math.floorDiv(units, perSecond), nanos);
    }

    private String text(byte[] bytes, int at) {
        int next = at;
        if (!frequent.isEmpty()) {
            long code = Varint.get(bytes, at);
            if (code != 0) {
                if (code < 0 || code > frequent.size()) {
                    throw invalid("text " + Long.toUnsignedString(code));
                }
                return frequent.get((int) code - 1);
            }
            next = at + Varint.length(bytes[at]);
        }
        int length = (int) Varint.get(bytes, next);
        int from = next + Varint.length(bytes[next]);
        if (charset == null || !TextCheck.valid(bytes, from, length, charset)) {
            throw new IllegalArgumentException("Invalid value of " + field.name() + ": not text in " + charset + ".");
        }
        return new String(bytes, from, length, charset);
    }

    private IllegalArgumentException invalid(String value) {
        return new IllegalArgumentException("Invalid value of " + field.name() + ": " + value + ".");
    }
}
