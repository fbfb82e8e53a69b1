package io.millrace.codec.compact;

import io.millrace.codec.RawBytes;
import io.millrace.codec.compact.GroupPlan.MemberPlan;
import io.millrace.schema.Dictionary;
import java.util.Objects;

/**
 * The steps of generated code that reads compact records. The plan of a member is a constant of the generated class:
 * the JIT compiler inlines a step, and what remains are the instructions for that member. A {@link PlanReader} takes
 * the same steps.
 *
 * <p>A step that takes a plan reads the member, and returns the offset past it, or {@link #UNEXPECTED}. It writes the
 * value if it is wanted, and checks it if it is wanted or if {@code check} is true. Stateless; no method reads past
 * {@code end}.
 */
public final class FinderSteps {

    /** Returned instead of an offset if a record is malformed or has a form that generated code does not handle. */
    public static final int UNEXPECTED = -1;

    /** Maximum number of bits of a group that generated code handles. */
    static final int MAX_BITS = 56;

    private FinderSteps() {}

    /** Returns the offset past the bits of a group. */
    static int bitsEnd(byte[] bytes, int at, int end) {
        int next = at;
        do {
            if (next >= end) {
                return UNEXPECTED;
            }
        } while (bytes[next++] < 0);
        return next - at > MAX_BITS / 7 ? UNEXPECTED : next;
    }

    /** Returns the bits of a group, the first one lowest. */
    static long bits(byte[] bytes, int at, int next) {
        long bits = bytes[at] & 0x7F;
        for (int i = 1; i < next - at; i++) {
            bits |= (bytes[at + i] & 0x7FL) << (7 * i);
        }
        return bits;
    }

    /**
     * Writes an entry of an index.
     *
     * @param width bytes of each entry
     */
    static void entry(byte[] index, int slot, int width, int offset) {
        if (width == 1) {
            index[slot] = (byte) offset;
            return;
        }
        for (int i = 0; i < width; i++) {
            index[slot * width + i] = (byte) (offset >>> (Byte.SIZE * (width - 1 - i)));
        }
    }

    /** Returns the offset past a varint. */
    public static int varintEnd(byte[] bytes, int at, int end) {
        if (at >= end) {
            return UNEXPECTED;
        }
        byte first = bytes[at];
        if (first >= 0) {
            return at + 1;
        }
        int length = Varint.length(first);
        return length > end - at ? UNEXPECTED : at + length;
    }

    /**
     * Returns the offset past a part, which begins with the number of its bytes.
     *
     * @param from offset past that number
     */
    public static int partEnd(byte[] bytes, int at, int from, int end) {
        long length = Varint.get(bytes, at);
        return length < 0 || length > end - from ? UNEXPECTED : from + (int) length;
    }

    /** Returns the offset past a part, which begins with the number of its bytes. */
    static int partLimit(byte[] bytes, int at, int end) {
        if (at < end && bytes[at] >= 0 && bytes[at] < end - at) {
            return at + 1 + bytes[at];
        }
        int from = varintEnd(bytes, at, end);
        return from < 0 ? UNEXPECTED : partEnd(bytes, at, from, end);
    }

    /**
     * Returns the offset past a text.
     *
     * @param frequent whether texts may be stored as a number
     */
    static int textEnd(byte[] bytes, int at, int end, boolean frequent) {
        if (!frequent) {
            return partLimit(bytes, at, end);
        }
        int next = varintEnd(bytes, at, end);
        return next < 0 || Varint.get(bytes, at) != 0 ? next : partLimit(bytes, next, end);
    }

    /** Returns the offset past a value of fixed width. */
    static int rawEnd(byte[] bytes, int at, int end, int width) {
        return width > end - at ? UNEXPECTED : at + width;
    }

    /** Returns the number of elements of a list, or {@link #UNEXPECTED}. The varint was checked. */
    static int count(MemberPlan list, byte[] bytes, int at) {
        long count = Varint.get(bytes, at);
        return count < 0 || count > list.maxElements() ? UNEXPECTED : (int) count;
    }

    /** Returns the signed integer at an offset, which was checked. */
    static long signed(byte[] bytes, int at) {
        return Varint.unzigzag(Varint.get(bytes, at));
    }

    /** Returns the day at an offset, which was checked. */
    static long date(byte[] bytes, int at) {
        return signed(bytes, at) + CompactNumbers.EPOCH_DAY;
    }

    /**
     * Returns the number of the decimal at an offset, which was checked.
     *
     * @throws ArithmeticException if it exceeds a long
     */
    static long decimal(byte[] bytes, int at) {
        return CompactNumbers.decimal(Varint.get(bytes, at), Varint.length(bytes[at]));
    }

    /** Returns whether a code has a name. */
    static boolean named(Dictionary names, long code) {
        return names.name(code) != null;
    }

    static int real(MemberPlan member, boolean check, byte[] bytes, int at, int end, byte[] row, int rowAt) {
        int next = realEnd(bytes, at, end);
        if (next < 0 || member.rowAt() < 0) {
            return next;
        }
        int head = bytes[at];
        double value = switch (head) {
            case CompactNumbers.DOUBLE -> Double.longBitsToDouble(RawBytes.getLong(bytes, at + 1));
            case CompactNumbers.FLOAT -> Float.intBitsToFloat(RawBytes.getInt(bytes, at + 1));
            default -> CompactNumbers.real(Varint.unzigzag(Varint.get(bytes, at + 1)), head);
        };
        if (member.width() == Double.BYTES) {
            RawBytes.putLong(row, rowAt + member.rowAt(), Double.doubleToRawLongBits(value));
        } else {
            RawBytes.putInt(row, rowAt + member.rowAt(), Float.floatToRawIntBits((float) value));
        }
        present(member, row, rowAt);
        return next;
    }

    /** Returns the offset past a floating-point number. */
    public static int realEnd(byte[] bytes, int at, int end) {
        if (at >= end) {
            return UNEXPECTED;
        }
        int head = bytes[at];
        if (head >= 0 && head <= CompactNumbers.MAX_EXPONENT) {
            return varintEnd(bytes, at + 1, end);
        }
        if (head != CompactNumbers.DOUBLE && head != CompactNumbers.FLOAT) {
            return UNEXPECTED;
        }
        int length = 1 + (head == CompactNumbers.DOUBLE ? Double.BYTES : Float.BYTES);
        return length > end - at ? UNEXPECTED : at + length;
    }

    static int raw(MemberPlan member, boolean check, byte[] bytes, int at, int end, byte[] row, int rowAt) {
        if (member.width() > end - at) {
            return UNEXPECTED;
        }
        put(member, bytes, at, member.width(), row, rowAt);
        return at + member.width();
    }

    static int text(MemberPlan member, boolean check, byte[] bytes, int at, int end, byte[] row, int rowAt) {
        int next = at;
        if (!member.frequent().isEmpty()) {
            next = varintEnd(bytes, at, end);
            if (next < 0) {
                return UNEXPECTED;
            }
            long code = Varint.get(bytes, at);
            if (code != 0) {
                if (code < 0 || code > member.frequent().size()) {
                    return UNEXPECTED;
                }
                byte[] known = member.frequent().get((int) code - 1);
                put(member, known, 0, known.length, row, rowAt);
                return next;
            }
        }
        int from = varintEnd(bytes, next, end);
        if (from < 0) {
            return UNEXPECTED;
        }
        int limit = partEnd(bytes, next, from, end);
        if (limit < 0) {
            return UNEXPECTED;
        }
        int length = limit - from;
        if (length > member.width()
                || (check && !TextCheck.valid(bytes, from, length, Objects.requireNonNull(member.charset())))) {
            return UNEXPECTED;
        }
        put(member, bytes, from, length, row, rowAt);
        return limit;
    }

    /** Clears the null flag of a member that is there. */
    static void present(MemberPlan member, byte[] row, int rowAt) {
        if (member.flagAt() >= 0) {
            row[rowAt + member.flagAt()] = 0;
        }
    }

    private static void put(MemberPlan member, byte[] from, int at, int length, byte[] row, int rowAt) {
        if (member.rowAt() >= 0) {
            RawBytes.copy(from, at, row, rowAt + member.rowAt(), length);
            present(member, row, rowAt);
        }
    }
}
