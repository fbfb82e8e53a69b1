package trades;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.math.BigDecimal;
import java.util.Comparator;
import java.util.Date;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Trades in memory. The same code runs over objects and over views: only what creates and holds trades differs. */
@SuppressWarnings("JavaUtilDate") // the domain class has dates
public final class TradeBook {

    private static final String[] CURRENCIES = {"AUD", "CAD", "CHF", "EUR", "GBP", "JPY", "USD"};
    private static final long DAY = 86_400_000;

    private final Supplier<Trade> create;
    private final List<Trade> trades;

    /**
     * @param create creates an empty trade
     * @param trades an empty list, which will hold the trades
     */
    public TradeBook(Supplier<Trade> create, List<Trade> trades) {
        this.create = create;
        this.trades = trades;
    }

    /** Adds a trade. */
    public void add(int id) {
        Trade trade = create.get();
        fill(trade, id);
        trades.add(trade);
    }

    /** Fills a trade with values that depend on its id. Texts are new objects, as those that a parser creates. */
    public static void fill(Trade trade, int id) {
        trade.setId(id);
        trade.setTradeDate(new Date((19_000 + id % 1000) * DAY));
        trade.setBuySell(text(id % 2 == 0 ? "Buy" : "Sell"));
        trade.setCurrency1(text(CURRENCIES[id % 7]));
        trade.setAmount1(BigDecimal.valueOf(id * 7_919L % 1_000_000_000, 2));
        trade.setExchangeRate((10_000 + id % 9_000) / 10_000.0);
        trade.setCurrency2(text(CURRENCIES[(id / 7 + 1 + id) % 7]));
        trade.setAmount2(BigDecimal.valueOf(id * 6_007L % 1_000_000_000, 2));
        trade.setSettlementDate(new Date((19_002 + id % 1000) * DAY));
    }

    private static String text(String constant) {
        return String.valueOf(constant.toCharArray());
    }

    /** Returns the trades. */
    public List<Trade> trades() {
        return trades;
    }

    /** Returns the purchase of pounds for dollars with the lowest rate. */
    public Optional<Trade> cheapest() {
        return trades.stream()
                .filter(trade -> trade.getCurrency1().equals("GBP"))
                .filter(trade -> trade.getCurrency2().equals("USD"))
                .filter(Trade::buys)
                .sorted(Comparator.comparingDouble(Trade::getExchangeRate))
                .findFirst();
    }

    /** Returns the serialized form of a trade, or of a list of trades. */
    public static byte[] serialize(Object trades) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(trades);
        }
        return bytes.toByteArray();
    }

    /** Returns the trade, or the list of trades, of a serialized form. */
    public static Object deserialize(byte[] bytes) throws IOException, ClassNotFoundException {
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes))) {
            return in.readObject();
        }
    }
}
