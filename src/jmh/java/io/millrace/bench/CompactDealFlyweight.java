package io.millrace.bench;

import static io.millrace.bench.HandWrittenCompact.decimal;
import static io.millrace.bench.HandWrittenCompact.partEnd;
import static io.millrace.bench.HandWrittenCompact.real;
import static io.millrace.bench.HandWrittenCompact.realEnd;
import static io.millrace.bench.HandWrittenCompact.signed;
import static io.millrace.bench.HandWrittenCompact.varint;
import static io.millrace.bench.HandWrittenCompact.varintEnd;

import java.math.BigDecimal;
import java.util.AbstractList;
import java.util.List;
import java.util.Objects;
import java.util.RandomAccess;

/**
 * A hand-written deal over the bytes of the compact layout: each getter skips what precedes its field, and nothing is
 * remembered. The code knows the schema, and trusts the bytes.
 *
 * <pre>
 * bits: open, legs | id | quantity | price | side | limit | length, bits, account, rating
 *      | length, count, legs | sequence
 * leg: length, bits | notional | rate | count
 * </pre>
 */
final class CompactDealFlyweight implements Deal {

    private static final int ID_AT = 1;
    private static final int SCALE = 2;
    private static final Side[] SIDES = Side.values();

    private final byte[] bytes;

    CompactDealFlyweight(byte[] bytes) {
        this.bytes = bytes;
    }

    private int quantityAt() {
        return varintEnd(bytes, ID_AT);
    }

    private int priceAt() {
        return varintEnd(bytes, quantityAt());
    }

    private int sideAt() {
        return realEnd(bytes, priceAt());
    }

    private int limitAt() {
        return varintEnd(bytes, sideAt());
    }

    private int buyerAt() {
        return varintEnd(bytes, limitAt());
    }

    private int legsAt() {
        return partEnd(bytes, buyerAt());
    }

    @Override
    public long getId() {
        return signed(varint(bytes, ID_AT));
    }

    @Override
    public int getQuantity() {
        return (int) signed(varint(bytes, quantityAt()));
    }

    @Override
    public double getPrice() {
        return real(bytes, priceAt());
    }

    @Override
    public boolean isOpen() {
        return (bytes[0] & 1) != 0;
    }

    @Override
    public Side getSide() {
        return SIDES[(int) varint(bytes, sideAt())];
    }

    @Override
    public BigDecimal getLimit() {
        return BigDecimal.valueOf(decimal(varint(bytes, limitAt())), SCALE);
    }

    @Override
    public Party getBuyer() {
        return new Buyer(bytes, varintEnd(bytes, buyerAt()) + 1);
    }

    @Override
    public List<Leg> getLegs() {
        return new Legs(bytes, varintEnd(bytes, legsAt()));
    }

    @Override
    public long getSequence() {
        return signed(varint(bytes, partEnd(bytes, legsAt())));
    }

    private record Buyer(byte[] bytes, int at) implements Party {
        @Override
        public long getAccount() {
            return signed(varint(bytes, at));
        }

        @Override
        public int getRating() {
            return (int) signed(varint(bytes, varintEnd(bytes, at)));
        }
    }

    /** Remembers the element after the one read last, as a loop does. */
    private static final class Legs extends AbstractList<Leg> implements RandomAccess {
        private final byte[] bytes;
        private final int at;
        private int next;
        private int nextAt;

        Legs(byte[] bytes, int at) {
            this.bytes = bytes;
            this.at = at;
            this.nextAt = varintEnd(bytes, at);
        }

        @Override
        public Leg get(int index) {
            Objects.checkIndex(index, size());
            if (index < next) {
                next = 0;
                nextAt = varintEnd(bytes, at);
            }
            int found = nextAt;
            for (; next < index; next++) {
                found = partEnd(bytes, found);
            }
            next = index + 1;
            nextAt = partEnd(bytes, found);
            return new OneLeg(bytes, varintEnd(bytes, found) + 1);
        }

        @Override
        public int size() {
            return (int) varint(bytes, at);
        }
    }

    private record OneLeg(byte[] bytes, int at) implements Leg {
        @Override
        public BigDecimal getNotional() {
            return BigDecimal.valueOf(decimal(varint(bytes, at)), SCALE);
        }

        @Override
        public double getRate() {
            return real(bytes, varintEnd(bytes, at));
        }

        @Override
        public int getCount() {
            return (int) signed(varint(bytes, realEnd(bytes, varintEnd(bytes, at))));
        }
    }
}
