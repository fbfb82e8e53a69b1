package desk;

import io.millrace.client.MillraceClient;
import io.millrace.client.RegionClient;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Queries a region of trades from an application. */
public final class CheapestPounds {

    /** A part of a trade: each getter returns a field. */
    public interface Trade {
        long getId();

        LocalDate getTradeDate();

        String getCurrency2();

        BigDecimal getAmount1();

        double getExchangeRate();
    }

    private final RegionClient<Trade> trades;

    /** @param client of a cluster or a store with the region {@code trades} */
    public CheapestPounds(MillraceClient client) {
        trades = client.region("trades", Trade.class);
    }

    /** Returns the cheapest trade. The servers find it, and send no other record. */
    public Optional<Trade> cheapest() {
        return trades.where("currency1 == 'GBP' and currency2 == 'USD' and buySell == 'Buy'")
                .orderBy("exchangeRate")
                .first();
    }

    /** Returns a sum over any number of records. They are fetched as the stream is read, so few are in memory. */
    public BigDecimal sumOfBuys() {
        try (Stream<Trade> buys = trades.where("currency1 == 'GBP' and buySell == 'Buy'").stream()) {
            return buys.map(Trade::getAmount1).reduce(BigDecimal.ZERO, BigDecimal::add);
        }
    }

    /** Returns aggregates, which the servers compute. */
    public List<Map<String, Object>> byCurrency() {
        return List.copyOf(
                trades.aggregate("buySell == 'Buy'", List.of("currency1"), List.of("count()", "sum(amount1)")));
    }

    /** Queries the cluster with the given locators. */
    public static void main(String... locators) {
        try (MillraceClient client = MillraceClient.connect(locators)) {
            CheapestPounds pounds = new CheapestPounds(client);
            System.out.println(pounds.cheapest());
            System.out.println(pounds.sumOfBuys());
            pounds.byCurrency().forEach(System.out::println);
        }
    }
}
