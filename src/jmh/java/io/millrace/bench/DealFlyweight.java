package io.millrace.bench;

import io.millrace.codec.RawBytes;
import java.math.BigDecimal;
import java.util.AbstractList;
import java.util.List;
import java.util.Objects;
import java.util.RandomAccess;

/**
 * A hand-written deal over bytes of fixed offsets, with the getters of the application.
 *
 * <pre>
 * 0 id | 8 quantity | 12 price | 20 open | 21 side | 22 limit | 30 account | 38 rating | 42 sequence | 50 legs
 * leg: 0 notional | 8 rate | 16 count
 * </pre>
 */
final class DealFlyweight implements Deal {

    private static final int LEGS_AT = 50;
    private static final int LEG_LENGTH = 20;
    private static final int SCALE = 2;
    private static final Side[] SIDES = Side.values();

    private final byte[] bytes;

    DealFlyweight(byte[] bytes) {
        this.bytes = bytes;
    }

    /** Returns the bytes of a deal. */
    static byte[] bytes(Deal deal) {
        byte[] bytes = new byte[LEGS_AT + DealData.LEGS * LEG_LENGTH];
        RawBytes.putLong(bytes, 0, deal.getId());
        RawBytes.putInt(bytes, 8, deal.getQuantity());
        RawBytes.putLong(bytes, 12, Double.doubleToRawLongBits(deal.getPrice()));
        bytes[20] = (byte) (deal.isOpen() ? 1 : 0);
        bytes[21] = (byte) (deal.getSide() == Side.BUY ? 0 : 1);
        RawBytes.putLong(bytes, 22, deal.getLimit().unscaledValue().longValueExact());
        RawBytes.putLong(bytes, 30, deal.getBuyer().getAccount());
        RawBytes.putInt(bytes, 38, deal.getBuyer().getRating());
        RawBytes.putLong(bytes, 42, deal.getSequence());
        int at = LEGS_AT;
        for (Leg leg : deal.getLegs()) {
            RawBytes.putLong(bytes, at, leg.getNotional().unscaledValue().longValueExact());
            RawBytes.putLong(bytes, at + 8, Double.doubleToRawLongBits(leg.getRate()));
            RawBytes.putInt(bytes, at + 16, leg.getCount());
            at += LEG_LENGTH;
        }
        return bytes;
    }

    @Override
    public long getId() {
        return RawBytes.getLong(bytes, 0);
    }

    @Override
    public int getQuantity() {
        return RawBytes.getInt(bytes, 8);
    }

    @Override
    public double getPrice() {
        return Double.longBitsToDouble(RawBytes.getLong(bytes, 12));
    }

    @Override
    public boolean isOpen() {
        return bytes[20] != 0;
    }

    @Override
    public Side getSide() {
        return SIDES[bytes[21]];
    }

    @Override
    public BigDecimal getLimit() {
        return BigDecimal.valueOf(RawBytes.getLong(bytes, 22), SCALE);
    }

    @Override
    public Party getBuyer() {
        return new Buyer(bytes);
    }

    @Override
    public List<Leg> getLegs() {
        return new Legs(bytes);
    }

    @Override
    public long getSequence() {
        return RawBytes.getLong(bytes, 42);
    }

    private record Buyer(byte[] bytes) implements Party {
        @Override
        public long getAccount() {
            return RawBytes.getLong(bytes, 30);
        }

        @Override
        public int getRating() {
            return RawBytes.getInt(bytes, 38);
        }
    }

    private static final class Legs extends AbstractList<Leg> implements RandomAccess {
        private final byte[] bytes;

        Legs(byte[] bytes) {
            this.bytes = bytes;
        }

        @Override
        public Leg get(int index) {
            return new OneLeg(bytes, LEGS_AT + Objects.checkIndex(index, DealData.LEGS) * LEG_LENGTH);
        }

        @Override
        public int size() {
            return DealData.LEGS;
        }
    }

    private record OneLeg(byte[] bytes, int at) implements Leg {
        @Override
        public BigDecimal getNotional() {
            return BigDecimal.valueOf(RawBytes.getLong(bytes, at), SCALE);
        }

        @Override
        public double getRate() {
            return Double.longBitsToDouble(RawBytes.getLong(bytes, at + 8));
        }

        @Override
        public int getCount() {
            return RawBytes.getInt(bytes, at + 16);
        }
    }
}
