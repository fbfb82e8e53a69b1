package trades;

import java.io.Serializable;
import java.math.BigDecimal;
import java.util.Date;
import java.util.Objects;

/** A trade in foreign exchange, as applications have it: a JavaBean that knows nothing of Millrace. */
@SuppressWarnings({"JavaUtilDate", "UndefinedEquals"}) // dates as applications have them
public class Trade implements Serializable, Comparable<Trade> {

    private static final long serialVersionUID = 1;

    private long id;
    private Date tradeDate;
    private String buySell;
    private String currency1;
    private BigDecimal amount1;
    private double exchangeRate;
    private String currency2;
    private BigDecimal amount2;
    private Date settlementDate;

    public long getId() {
        return id;
    }

    public void setId(long id) {
        this.id = id;
    }

    public Date getTradeDate() {
        return tradeDate;
    }

    public void setTradeDate(Date tradeDate) {
        this.tradeDate = tradeDate;
    }

    public String getBuySell() {
        return buySell;
    }

    public void setBuySell(String buySell) {
        this.buySell = buySell;
    }

    public String getCurrency1() {
        return currency1;
    }

    public void setCurrency1(String currency1) {
        this.currency1 = currency1;
    }

    public BigDecimal getAmount1() {
        return amount1;
    }

    public void setAmount1(BigDecimal amount1) {
        this.amount1 = amount1;
    }

    public double getExchangeRate() {
        return exchangeRate;
    }

    public void setExchangeRate(double exchangeRate) {
        this.exchangeRate = exchangeRate;
    }

    public String getCurrency2() {
        return currency2;
    }

    public void setCurrency2(String currency2) {
        this.currency2 = currency2;
    }

    public BigDecimal getAmount2() {
        return amount2;
    }

    public void setAmount2(BigDecimal amount2) {
        this.amount2 = amount2;
    }

    public Date getSettlementDate() {
        return settlementDate;
    }

    public void setSettlementDate(Date settlementDate) {
        this.settlementDate = settlementDate;
    }

    /** Returns whether the first currency is bought. */
    public boolean buys() {
        return getBuySell().equals("Buy");
    }

    /** Returns the days from trade to settlement. */
    public long daysToSettlement() {
        return (getSettlementDate().getTime() - getTradeDate().getTime()) / 86_400_000;
    }

    @Override
    public int compareTo(Trade other) {
        return Long.compare(getId(), other.getId());
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Trade that
                && id == that.id
                && exchangeRate == that.exchangeRate
                && Objects.equals(tradeDate, that.tradeDate)
                && Objects.equals(buySell, that.buySell)
                && Objects.equals(currency1, that.currency1)
                && Objects.equals(amount1, that.amount1)
                && Objects.equals(currency2, that.currency2)
                && Objects.equals(amount2, that.amount2)
                && Objects.equals(settlementDate, that.settlementDate);
    }

    @Override
    public int hashCode() {
        return Objects.hash(id, tradeDate, buySell, currency1, amount1, exchangeRate, currency2, amount2);
    }

    @Override
    public String toString() {
        return "Trade[id=" + id + ", buySell=" + buySell + ", currency1=" + currency1 + ", amount1=" + amount1 + "]";
    }
}
