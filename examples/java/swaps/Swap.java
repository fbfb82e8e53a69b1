package swaps;

import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;

/** A swap as an application knows it. The names are those of the schema in examples/swap/schemas/swap.yml. */
public interface Swap {

    /** The state of a swap. */
    enum Status {
        NEW,
        CONFIRMED,
        CANCELLED
    }

    /** A buyer or broker. */
    interface Party {
        String getName();

        Optional<String> getLei();

        String getCountry();
    }

    /** A leg of a swap. */
    interface Leg {
        String getCurrency();

        BigDecimal getNotional();

        void setNotional(BigDecimal notional);

        Optional<Double> getFixedRate();

        List<Payment> getPayments();
    }

    /** A payment of a leg. */
    interface Payment {
        LocalDate getDate();

        BigDecimal getAmount();
    }

    String getId();

    LocalDate getTradeDate();

    Status getStatus();

    void setStatus(Status status);

    Party getBuyer();

    Party getBroker();

    List<Leg> getLegs();

    List<String> getBooks();
}
