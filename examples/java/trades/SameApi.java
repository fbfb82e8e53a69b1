package trades;

import io.millrace.codec.view.RecordViews;
import io.millrace.schema.Schema;
import io.millrace.schema.SchemaReader;
import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;

/** Runs the same program over classic objects, or over views of bytes, and prints what it takes. */
public final class SameApi {

    private static final int SERIALIZED = 20_000;
    private static final int QUERIES = 9;

    private SameApi() {}

    /**
     * What a run takes.
     *
     * @param heap bytes of the heap for each trade
     * @param query nanoseconds for each trade, of the fastest query
     * @param serialized bytes of a serialized trade
     * @param roundTrip nanoseconds to serialize and deserialize a trade, in the fastest of several rounds
     * @param pauses milliseconds that the garbage collector took, without those that the program asked for
     * @param cheapest id of the trade that the query found
     */
    public record Result(long heap, double query, int serialized, double roundTrip, long pauses, long cheapest) {}

    /**
     * Runs the program and prints its results.
     *
     * @param arguments {@code classic} or the file of a schema, and the number of trades
     */
    public static void main(String[] arguments) throws IOException, ClassNotFoundException {
        int count = Integer.parseInt(arguments[1]);
        TradeBook book = arguments[0].equals("classic") ? classic() : views(Path.of(arguments[0]));
        Result result = run(book, count);
        System.out.printf(
                "%s, %,d trades: heap %d bytes each, query %.0f ns each, serialized %d bytes,"
                        + " serialize and deserialize %.2f us, garbage collection %d ms, cheapest %d%n",
                arguments[0],
                count,
                result.heap(),
                result.query(),
                result.serialized(),
                result.roundTrip() / 1000,
                result.pauses(),
                result.cheapest());
    }

    /** Returns a book of objects. */
    public static TradeBook classic() {
        return new TradeBook(Trade::new, trade -> trade);
    }

    /** Returns a book of views. */
    public static TradeBook views(Path schemaFile) throws IOException {
        Schema schema = SchemaReader.read(schemaFile.toString(), Files.readAllBytes(schemaFile));
        RecordViews<Trade> views = RecordViews.of(Trade.class, schema);
        return new TradeBook(views::create, views::view);
    }

    /** Fills a book and uses it. */
    public static Result run(TradeBook book, int count) throws IOException, ClassNotFoundException {
        long before = usedHeap();
        long pausesBefore = pauses();
        for (int id = 0; id < count; id++) {
            book.add(id);
        }
        long pauses = pauses() - pausesBefore;
        long heap = (usedHeap() - before) / count;
        pausesBefore = pauses();
        double query = Double.MAX_VALUE;
        long cheapest = -1;
        for (int i = 0; i < QUERIES; i++) {
            long start = System.nanoTime();
            cheapest = book.cheapest().map(Trade::getId).orElse(-1L);
            query = Math.min(query, (double) (System.nanoTime() - start) / count);
        }
        int serialized = TradeBook.serialize(book.trades().getLast()).length;
        double roundTrip = roundTrip(book, Math.min(count, SERIALIZED));
        return new Result(heap, query, serialized, roundTrip, pauses + pauses() - pausesBefore, cheapest);
    }

    private static double roundTrip(TradeBook book, int count) throws IOException, ClassNotFoundException {
        double best = Double.MAX_VALUE;
        for (int round = 0; round < QUERIES; round++) {
            long start = System.nanoTime();
            for (Trade trade : book.trades().subList(0, count)) {
                if (!TradeBook.deserialize(TradeBook.serialize(trade)).equals(trade)) {
                    throw new IllegalStateException("Deserialized trade differs from " + trade + ".");
                }
            }
            best = Math.min(best, (double) (System.nanoTime() - start) / count);
        }
        return best;
    }

    private static long usedHeap() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    private static long pauses() {
        return ManagementFactory.getGarbageCollectorMXBeans().stream()
                .mapToLong(GarbageCollectorMXBean::getCollectionTime)
                .sum();
    }
}
