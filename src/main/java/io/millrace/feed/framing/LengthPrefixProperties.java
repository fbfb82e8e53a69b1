package io.millrace.feed.framing;

import io.millrace.codec.frame.Framing;
import java.nio.ByteOrder;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Properties of the length before each record.
 *
 * @param width number of bytes of the length: 1, 2 or 4
 * @param order byte order of the length
 * @param countsItself whether the length includes its own bytes
 */
public record LengthPrefixProperties(
        @DefaultValue("2") int width,
        @DefaultValue("big-endian") Order order,
        @DefaultValue("false") boolean countsItself) {

    static final LengthPrefixProperties DEFAULT = new LengthPrefixProperties(2, Order.BIG_ENDIAN, false);

    /** A byte order. */
    public enum Order {
        /** The most significant byte first. */
        BIG_ENDIAN,
        /** The least significant byte first. */
        LITTLE_ENDIAN
    }

    Framing rule() {
        ByteOrder byteOrder = order == Order.BIG_ENDIAN ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
        return new Framing.LengthPrefixed(width, byteOrder, countsItself);
    }
}
