package io.millrace.bench;

import java.math.BigDecimal;
import java.util.List;

/** A deal as ordinary objects. */
record PlainDeal(
        long id,
        int quantity,
        double price,
        boolean open,
        Side side,
        BigDecimal limit,
        PlainParty buyer,
        List<Leg> legs,
        long sequence)
        implements Deal {

    /** A buyer. */
    record PlainParty(long account, int rating) implements Party {
        @Override
        public long getAccount() {
            return account;
        }

        @Override
        public int getRating() {
            return rating;
        }
    }

    /** A leg. */
    record PlainLeg(BigDecimal notional, double rate, int count) implements Leg {
        @Override
        public BigDecimal getNotional() {
            return notional;
        }

        @Override
        public double getRate() {
            return rate;
        }

        @Override
        public int getCount() {
            return count;
        }
    }

    @Override
    public long getId() {
        return id;
    }

    @Override
    public int getQuantity() {
        return quantity;
    }

    @Override
    public double getPrice() {
        return price;
    }

    @Override
    public boolean isOpen() {
        return open;
    }

    @Override
    public Side getSide() {
        return side;
    }

    @Override
    public BigDecimal getLimit() {
        return limit;
    }

    @Override
    public Party getBuyer() {
        return buyer;
    }

    @Override
    public List<Leg> getLegs() {
        return legs;
    }

    @Override
    public long getSequence() {
        return sequence;
    }
}
