package desk;

import io.millrace.client.MillraceClient;
import io.millrace.client.RegionClient;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Queries to a region of trades from an application of one's own. */
public final class CheapestPounds {

    /** A trade, as far as it matters here: each getter gives a field. */
    public interface Trade {
        long getId();

        LocalDate getTradeDate();

        String getCurrency2();

        BigDecimal getAmount1();

        double getExchangeRate();
    }

    private final RegionClient<Trade> trades;

    /** @param client of a cluster that has the region {@code trades}, or of a store that has */
    public CheapestPounds(MillraceClient client) {
        trades = client.region("trades", Trade.class);
    }

    /** The best of an order: found where the records are, and sent alone. */
    public Optional<Trade> cheapest() {
        return trades.where("currency1 == 'GBP' and currency2 == 'USD' and buySell == 'Buy'")
                .orderBy("exchangeRate")
                .first();
    }

    /** Any number of records: they are looked for as the stream is read, so that few are in memory at a time. */
    public BigDecimal sumOfBuys() {
        try (Stream<Trade> buys = trades.where("currency1 == 'GBP' and buySell == 'Buy'").stream()) {
            return buys.map(Trade::getAmount1).reduce(BigDecimal.ZERO, BigDecimal::add);
        }
    }

    /** Figures are made where the records are. */
    public List<Map<String, Object>> byCurrency() {
        return List.copyOf(
                trades.aggregate("buySell == 'Buy'", List.of("currency1"), List.of("count()", "sum(amount1)")));
    }

    /** Asks the cluster whose locators are named. */
    public static void main(String... locators) {
        try (MillraceClient client = MillraceClient.connect(locators)) {
            CheapestPounds pounds = new CheapestPounds(client);
            System.out.println(pounds.cheapest());
            System.out.println(pounds.sumOfBuys());
            pounds.byCurrency().forEach(System.out::println);
        }
    }
}
