package io.millrace.table;

import io.millrace.codec.Counter;
import io.millrace.schema.Field;
import io.millrace.schema.Schema;
import java.io.IOException;
import java.time.Instant;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A table loaded from a file, which can be reloaded while it is read. The old rows are served until the new ones are
 * complete; then all readers use the new ones from their next lookup on. If the new file is invalid, the old rows are
 * still served, and {@link #status} reports the error.
 *
 * <p>Thread-safe; one thread at a time loads.
 */
public final class ServedTable implements Table {

    private final TableDefinition definition;
    private volatile PackedTable served;
    private volatile Instant since = Instant.now();
    private volatile @Nullable String error;
    private final Counter loads = new Counter();
    private final Counter failures = new Counter();
    private long stamp;

    /** @param served rows that were loaded already */
    ServedTable(TableDefinition definition, PackedTable served) {
        this.definition = definition;
        this.served = served;
        this.stamp = sourceStamp();
        loads.set(1);
    }

    /**
     * Loads a table.
     *
     * @throws TableException with all problems, up to a limit
     */
    public static ServedTable load(TableDefinition definition) {
        return new ServedTable(definition, TableLoader.load(definition));
    }

    @Override
    public String name() {
        return definition.name();
    }

    @Override
    public Schema schema() {
        return served.schema();
    }

    @Override
    public Field key() {
        return served.key();
    }

    @Override
    public TableReader reader() {
        return new PackedTableReader(() -> served);
    }

    @Override
    public void forEach(Predicate<byte[]> more) {
        served.forEach(more);
    }

    /** Returns the rows that are served now. */
    public PackedTable served() {
        return served;
    }

    /**
     * Reloads the file. Column types that were inferred at the first load are retained: a file with a value that does
     * not fit them is invalid.
     *
     * @throws TableException with all problems, up to a limit; the old rows are still served
     */
    public synchronized void reload() {
        stamp = sourceStamp();
        try {
            serve(TableLoader.load(definition, served.schema()));
        } catch (TableException e) {
            error = e.getMessage();
            failures.add(1);
            throw e;
        }
    }

    /** Serves other rows of the same schema. */
    void serve(PackedTable rows) {
        served = rows;
        since = Instant.now();
        error = null;
        loads.add(1);
    }

    /** Reloads the file if it has changed since the last attempt; returns whether it has. */
    public synchronized boolean reloadIfChanged() {
        if (sourceStamp() == stamp) {
            return false;
        }
        reload();
        return true;
    }

    private long sourceStamp() {
        try {
            return new SourceFile(definition.file()).stamp();
        } catch (IOException e) {
            return -1; // a missing file counts as changed: loading it reports why
        }
    }

    @Override
    public TableStatus status() {
        PackedTable table = served;
        return new TableStatus(
                name(),
                table.form(),
                table.rows(),
                table.bytes(),
                table.schema().toString(),
                table.key().name(),
                definition.file(),
                since,
                loads.get(),
                failures.get(),
                error,
                table.version());
    }
}
