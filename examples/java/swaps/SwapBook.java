package swaps;

import io.millrace.schema.Schema;
import io.millrace.view.RecordViews;
import java.math.BigDecimal;
import java.util.Map;
import java.util.TreeMap;

/** Swaps by id. Each one is the bytes of a compact record, behind the interface of the application. */
public final class SwapBook {

    private final RecordViews<Swap> views;
    private final Map<String, Swap> swaps = new TreeMap<>();

    /** @param schema the schema {@code swap} */
    public SwapBook(Schema schema) {
        views = RecordViews.of(Swap.class, schema);
    }

    /** Adds a record. */
    public void add(byte[] record) {
        Swap swap = views.of(record);
        swaps.put(swap.getId(), swap);
    }

    /** Returns the sum of the notional amounts in a currency. */
    public BigDecimal notional(String currency) {
        return swaps.values().stream()
                .flatMap(swap -> swap.getLegs().stream())
                .filter(leg -> leg.getCurrency().equals(currency))
                .map(Swap.Leg::getNotional)
                .reduce(BigDecimal.ZERO, BigDecimal::add);
    }

    /** Confirms a swap, and returns the bytes of the changed record. */
    public byte[] confirm(String id) {
        Swap copy = views.edit(swaps.get(id));
        copy.setStatus(Swap.Status.CONFIRMED);
        swaps.put(id, views.view(copy));
        return views.bytes(copy);
    }
}
