package desk;

import io.millrace.codec.RecordBatch;
import java.util.concurrent.atomic.LongAdder;
import org.springframework.integration.annotation.ServiceActivator;
import org.springframework.stereotype.Component;

/** Receives each batch that passes the pipeline's first filter. */
@Component
public class BatchCounter {

    private final LongAdder records = new LongAdder();

    @ServiceActivator(inputChannel = "trades.1-filter")
    void count(RecordBatch batch) {
        records.add(batch.selected());
    }

    public long records() {
        return records.sum();
    }
}
