package io.millrace.bench;

import io.millrace.codec.RawBytes;
import java.math.BigDecimal;
import java.util.Date;
import java.util.concurrent.TimeUnit;
import org.apache.geode.pdx.PdxReader;
import org.apache.geode.pdx.PdxSerializable;
import org.apache.geode.pdx.PdxWriter;

/** A trade as objects, the classic way; Geode keeps it as PDX. */
@SuppressWarnings({"NullAway.Init", "JavaUtilDate"}) // Geode makes it empty first; Date is what PDX knows
public final class ClassicTrade implements PdxSerializable {

    private static final String[] CURRENCIES = {"", "AUD", "CAD", "CHF", "EUR", "GBP", "JPY", "USD"};

    private long id;
    private Date tradeDate;
    private String buySell;
    private String currency1;
    private BigDecimal amount1;
    private double exchangeRate;
    private String currency2;
    private BigDecimal amount2;
    private Date settlementDate;
    private long desk;
    private double notional;

    /** For Geode. */
    public ClassicTrade() {}

    /** The trade that lies in bytes. */
    ClassicTrade(byte[] bytes, int at) {
        id = RawBytes.getLong(bytes, at);
        tradeDate = date(bytes, at + 8);
        buySell = bytes[at + 10] == 0 ? "Buy" : "Sell";
        currency1 = CURRENCIES[bytes[at + 11]];
        amount1 = BigDecimal.valueOf(RawBytes.getLong(bytes, at + 12), 2);
        exchangeRate = Double.longBitsToDouble(RawBytes.getLong(bytes, at + 20));
        currency2 = CURRENCIES[bytes[at + 28]];
        amount2 = BigDecimal.valueOf(RawBytes.getLong(bytes, at + 29), 2);
        settlementDate = date(bytes, at + 37);
    }

    private static Date date(byte[] bytes, int at) {
        return new Date(TimeUnit.DAYS.toMillis(RawBytes.getShort(bytes, at) & 0xFFFF));
    }

    public long getId() {
        return id;
    }

    public String getBuySell() {
        return buySell;
    }

    public String getCurrency1() {
        return currency1;
    }

    public BigDecimal getAmount1() {
        return amount1;
    }

    public double getExchangeRate() {
        return exchangeRate;
    }

    public void setDesk(long newDesk) {
        desk = newDesk;
    }

    public void setNotional(double newNotional) {
        notional = newNotional;
    }

    @Override
    public void toData(PdxWriter writer) {
        writer.writeLong("id", id)
                .writeDate("tradeDate", tradeDate)
                .writeString("buySell", buySell)
                .writeString("currency1", currency1)
                .writeObject("amount1", amount1)
                .writeDouble("exchangeRate", exchangeRate)
                .writeString("currency2", currency2)
                .writeObject("amount2", amount2)
                .writeDate("settlementDate", settlementDate)
                .writeLong("desk", desk)
                .writeDouble("notional", notional);
    }

    @Override
    public void fromData(PdxReader reader) {
        id = reader.readLong("id");
        tradeDate = reader.readDate("tradeDate");
        buySell = reader.readString("buySell");
        currency1 = reader.readString("currency1");
        amount1 = (BigDecimal) reader.readObject("amount1");
        exchangeRate = reader.readDouble("exchangeRate");
        currency2 = reader.readString("currency2");
        amount2 = (BigDecimal) reader.readObject("amount2");
        settlementDate = reader.readDate("settlementDate");
        desk = reader.readLong("desk");
        notional = reader.readDouble("notional");
    }
}
