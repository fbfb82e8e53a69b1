package io.millrace.codec.check;

import io.millrace.codec.EnumCodec;
import io.millrace.codec.FieldCodec;
import io.millrace.codec.NumberedCodec;
import io.millrace.codec.RawBytes;
import io.millrace.schema.IntStorage;
import java.nio.ByteOrder;

/** Checks one field of many records for invalid values. */
abstract sealed class ColumnCheck {

    /** Returns the fastest check for a field that {@linkplain FieldCodec#canBeInvalid can be invalid}. */
    static ColumnCheck of(FieldCodec codec) {
        boolean byRange = codec instanceof NumberedCodec
                && !codec.field().optional()
                && !(codec instanceof EnumCodec names && !names.dictionary().dense());
        return byRange ? new InRange((NumberedCodec) codec) : new ByCodec(codec);
    }

    /**
     * Returns whether the field is invalid in any record. Allocates only if one is invalid, or to check UTF-8 beyond
     * ASCII.
     *
     * @param start offset of the first record
     * @param stride bytes from one record to the next
     */
    abstract boolean anyInvalid(byte[] bytes, int start, int stride, int count);

    /** Calls the codec for each record. */
    private static final class ByCodec extends ColumnCheck {
        private final FieldCodec codec;

        ByCodec(FieldCodec codec) {
            this.codec = codec;
        }

        @Override
        boolean anyInvalid(byte[] bytes, int start, int stride, int count) {
            for (int i = 0, record = start; i < count; i++, record += stride) {
                if (codec.fault(bytes, record) != null) {
                    return true;
                }
            }
            return false;
        }
    }

    /** Compares numbers with a range: one unsigned comparison of the distance from the lower bound. */
    private static final class InRange extends ColumnCheck {
        private final IntStorage storage;
        private final int offset;
        private final long low;
        private final long span;

        InRange(NumberedCodec codec) {
            storage = codec.storage();
            offset = codec.field().offset();
            low = codec.lowestRaw();
            span = codec.highestRaw() - low;
        }

        @Override
        boolean anyInvalid(byte[] bytes, int start, int stride, int count) {
            int at = start + offset;
            boolean big = storage.order() == ByteOrder.BIG_ENDIAN;
            if (!storage.wholeWord()) {
                return anyOddOutside(bytes, at, stride, count);
            }
            return switch (storage.bytes()) {
                case 1 -> anyByteOutside(bytes, at, stride, count);
                case 2 -> anyShortOutside(bytes, at, stride, count, big);
                case 4 -> anyIntOutside(bytes, at, stride, count, big);
                case 8 -> anyLongOutside(bytes, at, stride, count, big);
                default -> anyOddOutside(bytes, at, stride, count);
            };
        }

        private boolean anyByteOutside(byte[] bytes, int start, int stride, int count) {
            // Lower bound and distance are taken modulo 256, so that one comparison serves signed and unsigned bytes.
            int base = (int) low;
            int range = (int) span;
            int outside = 0;
            for (int i = 0, at = start; i < count; i++, at += stride) {
                outside |= range - ((bytes[at] - base) & 0xFF);
            }
            return outside < 0;
        }

        private boolean anyShortOutside(byte[] bytes, int start, int stride, int count, boolean big) {
            int base = (int) low;
            int range = (int) span;
            int outside = 0;
            for (int i = 0, at = start; i < count; i++, at += stride) {
                int raw = big ? RawBytes.getShort(bytes, at) : RawBytes.getShortLe(bytes, at);
                outside |= range - ((raw - base) & 0xFFFF);
            }
            return outside < 0;
        }

        private boolean anyIntOutside(byte[] bytes, int start, int stride, int count, boolean big) {
            long outside = 0;
            for (int i = 0, at = start; i < count; i++, at += stride) {
                int raw = big ? RawBytes.getInt(bytes, at) : RawBytes.getIntLe(bytes, at);
                outside |= span - ((raw - low) & 0xFFFF_FFFFL);
            }
            return outside < 0;
        }

        private boolean anyLongOutside(byte[] bytes, int start, int stride, int count, boolean big) {
            boolean outside = false;
            for (int i = 0, at = start; i < count; i++, at += stride) {
                long raw = big ? RawBytes.getLong(bytes, at) : RawBytes.getLongLe(bytes, at);
                outside |= Long.compareUnsigned(raw - low, span) > 0;
            }
            return outside;
        }

        private boolean anyOddOutside(byte[] bytes, int start, int stride, int count) {
            boolean outside = false;
            for (int i = 0, at = start; i < count; i++, at += stride) {
                outside |= Long.compareUnsigned(RawBytes.get(bytes, at, storage) - low, span) > 0;
            }
            return outside;
        }
    }
}
