package desk;

import io.millrace.client.MillraceClient;
import java.math.BigDecimal;
import java.util.List;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** The application's own pages. */
@RestController
public class DeskController {

    /** A trade as this application shows it. */
    public record LargeTrade(long id, String currency, BigDecimal amount) {}

    private static final List<String> CURRENCIES = List.of("EUR", "GBP", "JPY", "USD");
    private static final int MAX_TRADES = 10;

    private final MillraceClient millrace;
    private final BatchCounter counter;

    public DeskController(MillraceClient millrace, BatchCounter counter) {
        this.millrace = millrace;
        this.counter = counter;
    }

    @GetMapping("/")
    public String home() {
        return "The desk has seen " + counter.records() + " large trades.";
    }

    /** Returns the largest trades in a currency. */
    @GetMapping("/largest/{currency}")
    public List<LargeTrade> largest(@PathVariable String currency) {
        if (!CURRENCIES.contains(currency)) {
            return List.of();
        }
        return millrace
                .region("trades", Trade.class)
                .where("currency1 == '" + currency + "'")
                .orderBy("amount1 desc")
                .limit(MAX_TRADES)
                .stream()
                .map(trade -> new LargeTrade(trade.getId(), trade.getCurrency1(), trade.getAmount1()))
                .toList();
    }
}
