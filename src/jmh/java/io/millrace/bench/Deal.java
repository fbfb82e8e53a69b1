package io.millrace.bench;

import java.math.BigDecimal;
import java.util.List;

/** A deal as an application knows it, for {@link ViewBenchmark}: a plain object, a flyweight, or a view. */
public interface Deal {

    /** A name of a dictionary. */
    enum Side {
        BUY,
        SELL
    }

    /** A buyer. */
    interface Party {
        long getAccount();

        int getRating();
    }

    /** A leg. */
    interface Leg {
        BigDecimal getNotional();

        double getRate();

        int getCount();
    }

    long getId();

    int getQuantity();

    double getPrice();

    boolean isOpen();

    Side getSide();

    BigDecimal getLimit();

    Party getBuyer();

    List<Leg> getLegs();

    long getSequence();
}
