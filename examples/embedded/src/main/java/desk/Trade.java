package desk;

import java.math.BigDecimal;
import java.time.LocalDate;

/** A stored trade: each getter reads a field of the record. */
public interface Trade {

    long getId();

    String getCurrency1();

    LocalDate getTradeDate();

    BigDecimal getAmount1();
}
