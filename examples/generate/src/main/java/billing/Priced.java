package billing;

import java.math.BigDecimal;

/** Something that has a price. Generated types extend it. */
public interface Priced {

    BigDecimal getPrice();

    long getQuantity();

    default BigDecimal total() {
        return getPrice().multiply(BigDecimal.valueOf(getQuantity()));
    }
}
