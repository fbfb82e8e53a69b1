package book;

import book.model.Order;
import book.model.Quote;
import io.millrace.codec.view.RecordViews;
import io.millrace.schema.Schema;
import io.millrace.schema.SchemaReader;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;

/** Orders and quotes as bytes, behind interfaces that are generated from their schemas. */
public final class OrderBook {

    private final RecordViews<Order> orderViews = RecordViews.of(Order.class, schema("order.yml"));
    private final RecordViews<Quote> quoteViews = RecordViews.of(Quote.class, schema("quote.yml"));
    private final List<Order> orders = new ArrayList<>();

    private static Schema schema(String file) {
        try (InputStream in = OrderBook.class.getResourceAsStream("/schemas/" + file)) {
            return SchemaReader.read(file, in.readAllBytes());
        } catch (IOException e) {
            throw new IllegalStateException("Unable to read the schema " + file + ".", e);
        }
    }

    /** Adds an order with one line. */
    public void add(long id, String product, BigDecimal amount) {
        Order order = orderViews.create();
        order.setId(id);
        order.setSide(Order.Side.SELL);
        Order.Line line = orderViews.create(Order.Line.class);
        line.setProduct(product);
        line.setAmount(amount);
        order.setLines(List.of(line));
        orders.add(orderViews.view(order));
    }

    /** Returns the orders. */
    public List<Order> orders() {
        return orders;
    }

    /** Returns a quote. */
    public Quote quote(long id, double price) {
        Quote quote = quoteViews.create();
        quote.setId(id);
        quote.setPrice(price);
        return quoteViews.view(quote);
    }
}
