package treasury;

import java.math.BigDecimal;

/** The balance of an account: a JavaBean, whose views read and write a fixed record. */
public class Balance {

    private String account;
    private Currency currency;
    private BigDecimal amount;
    private BigDecimal limit;

    public String getAccount() {
        return account;
    }

    public void setAccount(String account) {
        this.account = account;
    }

    public Currency getCurrency() {
        return currency;
    }

    public void setCurrency(Currency currency) {
        this.currency = currency;
    }

    public BigDecimal getAmount() {
        return amount;
    }

    public void setAmount(BigDecimal amount) {
        this.amount = amount;
    }

    /** Returns by how much the account may be overdrawn. */
    public BigDecimal getLimit() {
        return limit;
    }

    public void setLimit(BigDecimal limit) {
        this.limit = limit;
    }

    /** Returns whether the account has enough money for a payment. */
    public boolean covers(Payment payment) {
        return payment.getCurrency() == getCurrency()
                && getAmount().add(getLimit()).compareTo(payment.getTotal()) >= 0;
    }
}
