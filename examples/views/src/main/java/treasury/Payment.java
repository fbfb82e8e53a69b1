package treasury;

import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.List;

/** A payment. Its views read and write a compact record. */
public interface Payment {

    /** Who pays. */
    interface Party {
        String getName();

        void setName(String name);

        String getCountry();

        void setCountry(String country);
    }

    String getId();

    void setId(String id);

    LocalDate getDay();

    void setDay(LocalDate day);

    Currency getCurrency();

    void setCurrency(Currency currency);

    BigDecimal getAmount();

    void setAmount(BigDecimal amount);

    BigDecimal getFee();

    void setFee(BigDecimal fee);

    /** A virtual field of the schema: the amount and the fee. */
    BigDecimal getTotal();

    Party getDebtor();

    List<String> getInvoices();
}
