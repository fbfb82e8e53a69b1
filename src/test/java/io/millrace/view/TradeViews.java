package io.millrace.view;

import io.millrace.schema.Schema;
import io.millrace.schema.yaml.SchemaReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import trades.Trade;

/** The views of the class of an example. */
public final class TradeViews {

    private TradeViews() {}

    public static RecordViews<Trade> of(String layout) {
        return RecordViews.of(Trade.class, schema(layout));
    }

    public static Schema schema(String layout) {
        Path file = Path.of("examples/same-api", layout, "trade.yml");
        try {
            return SchemaReader.read(file.toString(), Files.readAllBytes(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
