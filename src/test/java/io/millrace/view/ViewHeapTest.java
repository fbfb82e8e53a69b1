package io.millrace.view;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.millrace.schema.Schema;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import trades.Trade;
import trades.TradeBook;

/** The heap that a view takes in addition to its bytes, as the guide says. */
class ViewHeapTest {

    private static final int COUNT = 1000;

    /** A trade as an interface. */
    public interface TradeInterface {
        long getId();
    }

    /** A class whose constructor creates lists, as those of many applications do. */
    @SuppressWarnings("UnusedVariable") // as all fields of views
    public static class Lists extends Trade {

        private static final long serialVersionUID = 1;

        private final transient List<String> tags = new ArrayList<>();
        private final transient List<String> notes = new ArrayList<>();
    }

    /** Returns the bytes of the heap that each object of a supplier takes, with the objects that it creates. */
    private static long bytes(Supplier<?> supplier) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        Object[] all = new Object[COUNT];
        long bytes = 0;
        for (int round = 0; round < 3; round++) { // the first one loads classes
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < COUNT; i++) {
                all[i] = supplier.get();
            }
            bytes = (threads.getCurrentThreadAllocatedBytes() - before) / COUNT;
        }
        assertThat(all[COUNT - 1]).isNotNull();
        return bytes;
    }

    private static byte[] record(Schema schema) {
        RecordViews<Trade> views = RecordViews.of(Trade.class, schema);
        Trade trade = views.create();
        TradeBook.fill(trade, 999_999);
        return views.bytes(trade);
    }

    private static <T> long viewBytes(Class<T> type, String layout) {
        Schema schema = TradeViews.schema(layout);
        byte[] record = record(schema);
        RecordViews<T> views = RecordViews.of(type, schema);
        return bytes(() -> views.of(record));
    }

    @Test
    void shouldTakeTheHeapThatTheGuideStates() throws Exception {
        assertThat(Files.readString(Path.of("docs/guides/use-binary-classes.md")))
                .contains(row("interface", TradeInterface.class))
                .contains(row("class `Trade`, with nine fields", Trade.class))
                .contains(row("class that also creates two lists", Lists.class));
    }

    private static String row(String name, Class<?> type) {
        return "| " + name + " | " + viewBytes(type, "fixed") + " | " + viewBytes(type, "compact") + " |";
    }
}
