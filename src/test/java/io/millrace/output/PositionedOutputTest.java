package io.millrace.output;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.codec.RecordBatch;
import io.millrace.codec.RejectReason;
import io.millrace.pipeline.TradeFile;
import io.millrace.schema.Schema;
import io.millrace.schema.yaml.Schemas;
import io.millrace.store.write.Term;
import io.millrace.store.write.WriterName;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** When an output is flushed that holds more than it should. */
class PositionedOutputTest {

    private static final Schema TRADE = Schemas.builtIn().get("trade");
    private static final WriterName NAME = WriterName.of("trades", 0);

    private final List<String> events = new ArrayList<>();
    private boolean rejects;
    private PositionedOutput output;

    /** Is full after each record. */
    private final class FullWriter implements OutputWriter {

        private final OutputContext context;
        private boolean full;

        FullWriter(OutputContext context) {
            this.context = context;
        }

        @Override
        public long open(long epoch, long discardFrom) {
            return 0;
        }

        @Override
        public void append(RecordBatch batch) {
            events.add("append " + batch.from());
            full = true;
            if (rejects) {
                context.rejects().reject(batch, 0, new RejectReason(RejectReason.Kind.INVALID_VALUE, "too long"));
            }
        }

        @Override
        public boolean isFull() {
            return full;
        }

        @Override
        public void flush(long position) {
            events.add("flush " + position);
            full = false;
        }
    }

    @BeforeEach
    void open() {
        output = new PositionedOutput(
                "output:out",
                "out",
                new OutputDefinition() {
                    @Override
                    public String describe() {
                        return "full";
                    }

                    @Override
                    public OutputWriter create(OutputContext context) {
                        return new FullWriter(context);
                    }
                },
                NAME,
                TRADE,
                (_, _, _) -> {});
        output.open(new Term(NAME, true, 1, 1, "token"), 0);
    }

    private void append(int position) {
        byte[] bytes = TradeFile.random(1, 1).getFirst().bytes();
        output.append(new RecordBatch(TRADE).fill(bytes, 0, 1, position, position + TradeFile.LENGTH));
    }

    @Test
    void shouldFlushBeforeTheNextBatch() {
        append(0);
        output.advance(39);
        append(39);
        output.advance(78);
        assertThat(events).containsExactly("append 0", "flush 39", "append 39");
    }

    /** A step can send records of a batch to an output after another one has. */
    @Test
    void shouldNotFlushAPartOfTheRecordsBeforeAPosition() {
        append(0);
        append(0);
        output.advance(39);
        append(39);
        assertThat(events).containsExactly("append 0", "append 0", "flush 39", "append 39");
    }

    /** The pipeline stores rejects before it flushes outputs: after a crash, these receive no record again. */
    @Test
    void shouldNotFlushBeforeItsRejectsAreStored() {
        rejects = true;
        append(0);
        output.advance(39);
        append(39);
        output.advance(78);
        output.flush();
        rejects = false;
        append(78);
        output.advance(117);
        append(117);
        assertThat(events).containsExactly("append 0", "append 39", "flush 78", "append 78", "flush 117", "append 117");
    }
}
