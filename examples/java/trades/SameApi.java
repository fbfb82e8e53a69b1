package trades;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.TRUNCATE_EXISTING;
import static java.nio.file.StandardOpenOption.WRITE;

import io.millrace.schema.Schema;
import io.millrace.schema.yaml.SchemaReader;
import io.millrace.view.RecordViews;
import io.millrace.view.list.RecordList;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;

/**
 * Runs the same program over classic objects, or over views of bytes, and reports the memory that it takes. Times are
 * measured by {@code SameApiBenchmark}.
 */
public final class SameApi {

    private static final int QUERIES = 20;
    private static final int SERIALIZED = 100_000;

    private SameApi() {}

    /**
     * What a run takes.
     *
     * @param heap bytes of the heap for each trade
     * @param serialized bytes of a serialized trade
     * @param serializedInList bytes for each trade of a serialized list
     * @param cheapest id of the trade that the query found
     */
    public record Result(double heap, int serialized, double serializedInList, long cheapest) {}

    /**
     * Runs the program and prints what it takes.
     *
     * @param arguments {@code classic} or the file of a schema, the number of trades and, optionally, a file: then the
     *     use of the heap is {@linkplain HeapRecorder recorded} in it, and nothing else is measured
     */
    public static void main(String[] arguments) throws IOException, ClassNotFoundException {
        TradeBook book = book(arguments[0]);
        int count = Integer.parseInt(arguments[1]);
        if (arguments.length > 2) {
            System.out.println(arguments[0] + ": " + record(book, count, Path.of(arguments[2])));
            return;
        }
        Result result = run(book, count);
        System.out.printf(
                "%s, %,d trades: heap %.1f bytes each, serialized %d bytes, in a list %.1f bytes each, cheapest %d%n",
                arguments[0], count, result.heap(), result.serialized(), result.serializedInList(), result.cheapest());
    }

    /** Returns a book of objects if the kind is {@code classic}, or else of views of the schema in a file. */
    public static TradeBook book(String kind) throws IOException {
        return kind.equals("classic") ? classic() : binary(views(Path.of(kind)));
    }

    /** Returns a book of objects. */
    public static TradeBook classic() {
        return new TradeBook(Trade::new, new ArrayList<>());
    }

    /** Returns a book of bytes. */
    public static TradeBook binary(RecordViews<Trade> views) {
        return new TradeBook(views::create, new RecordList<>(views));
    }

    /** Returns the views of trades for a schema. */
    public static RecordViews<Trade> views(Path schemaFile) throws IOException {
        Schema schema = SchemaReader.read(schemaFile.toString(), Files.readAllBytes(schemaFile));
        return RecordViews.of(Trade.class, schema);
    }

    /** Writes the fingerprint of their schema and the bytes of trades to a file. */
    public static void write(RecordList<Trade> trades, Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, CREATE, WRITE, TRUNCATE_EXISTING)) {
            trades.writeTo(channel);
        }
    }

    /** Reads the bytes of trades from a file. */
    public static RecordList<Trade> read(RecordViews<Trade> views, Path file) throws IOException {
        RecordList<Trade> trades = new RecordList<>(views);
        try (FileChannel channel = FileChannel.open(file)) {
            trades.readFrom(channel);
        }
        return trades;
    }

    /** Fills a book and uses it. */
    public static Result run(TradeBook book, int count) throws IOException, ClassNotFoundException {
        double heap = fill(book, count);
        long cheapest = use(book);
        int serialized = TradeBook.serialize(book.trades().getLast()).length;
        double serializedInList = (double) TradeBook.serialize(book.trades()).length / count;
        return new Result(heap, serialized, serializedInList, cheapest);
    }

    /** Fills a book and uses it, and writes the use of the heap and the GC pauses to a file. */
    public static HeapRecorder.Recorded record(TradeBook book, int count, Path file)
            throws IOException, ClassNotFoundException {
        HeapRecorder recorder = new HeapRecorder();
        add(book, count);
        use(book);
        HeapRecorder.Recorded recorded = recorder.stop();
        recorded.write(file);
        return recorded;
    }

    /** Fills a book, and returns the bytes of the heap that it takes for each trade. */
    public static double fill(TradeBook book, int count) {
        long before = usedHeap();
        add(book, count);
        return (double) (usedHeap() - before) / count;
    }

    private static void add(TradeBook book, int count) {
        for (int id = 0; id < count; id++) {
            book.add(id);
        }
    }

    /** Queries the trades, serializes some of them, and returns the id of the trade that the query found. */
    private static long use(TradeBook book) throws IOException, ClassNotFoundException {
        long cheapest = -1;
        for (int i = 0; i < QUERIES; i++) {
            cheapest = book.cheapest().map(Trade::getId).orElse(-1L);
        }
        for (Trade trade : book.trades().subList(0, Math.min(book.trades().size(), SERIALIZED))) {
            if (!TradeBook.deserialize(TradeBook.serialize(trade)).equals(trade)) {
                throw new IllegalStateException("Deserialized trade differs from " + trade + ".");
            }
        }
        return cheapest;
    }

    private static long usedHeap() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
}
