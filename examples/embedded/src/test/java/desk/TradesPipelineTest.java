package desk;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.test.MillraceTest;
import io.millrace.test.PipelineCounts;
import io.millrace.test.TestPipelines;
import java.math.BigDecimal;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

@MillraceTest
class TradesPipelineTest {

    @Autowired
    private TestPipelines pipelines;

    @Autowired
    private BatchCounter counter;

    @Test
    void shouldStoreLargeTrades() {
        pipelines.send(
                "trades",
                pipelines
                        .records("trades")
                        .add(Map.of("id", 1, "currency1", "GBP", "amount1", new BigDecimal("1000000.01")))
                        .add(Map.of("id", 2, "currency1", "EUR", "amount1", new BigDecimal("1000000"))));

        assertThat(pipelines.stored("trades", Trade.class))
                .extracting(Trade::getCurrency1)
                .containsExactly("GBP");
        assertThat(pipelines.counts("trades")).isEqualTo(new PipelineCounts(2, 1, 1, 0));
        assertThat(counter.records()).isEqualTo(1);
    }

    @Test
    void shouldRejectIncompleteTrades() {
        pipelines.send("trades", new byte[10]);

        assertThat(pipelines.rejected("trades"))
                .extracting(reject -> reject.get("reason"))
                .containsExactly("truncated");
    }
}
