package desk;

import io.millrace.codec.DecimalCodec;
import io.millrace.codec.RecordBatch;
import io.millrace.codec.RecordCodec;
import java.math.BigDecimal;
import java.util.concurrent.atomic.AtomicLong;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.integration.annotation.ServiceActivator;
import org.springframework.integration.dsl.IntegrationFlow;

/**
 * Your own endpoints next to a pipeline. One receives the batches of the channel behind the first filter of
 * {@code trades}. The other is a plain Spring Integration flow whose payloads are single trades as {@code byte[]}.
 */
@Configuration
public class TradeListener {

    private final AtomicLong trades = new AtomicLong();
    private final AtomicLong cents = new AtomicLong();
    private final AtomicLong pounds = new AtomicLong();

    /** Receives every batch. The batch is valid until this method returns, and must not be changed. */
    @ServiceActivator(inputChannel = "trades.1-filter")
    void listen(RecordBatch batch) {
        DecimalCodec amount1 = (DecimalCodec) RecordCodec.of(batch.schema()).codec("amount1");
        int[] selection = batch.selection();
        long sum = 0;
        for (int i = 0; i < batch.selected(); i++) {
            sum += amount1.unscaled(batch.bytes(), batch.offset(selection[i]));
        }
        trades.addAndGet(batch.selected());
        cents.addAndGet(sum);
    }

    /** Counts trades in pounds. The expression reads the fields of a trade from its bytes. */
    @Bean
    IntegrationFlow poundsFlow() {
        return IntegrationFlow.from("single-trades")
                .filter("payload.currency1 == 'GBP'")
                .handle(message -> pounds.incrementAndGet())
                .get();
    }

    /** Returns the number of trades that passed the filter. */
    public long trades() {
        return trades.get();
    }

    /** Returns the sum of their amount1. */
    public BigDecimal amount() {
        return BigDecimal.valueOf(cents.get(), 2);
    }

    /** Returns the number of single trades in pounds. */
    public long pounds() {
        return pounds.get();
    }
}
