package io.millrace.table;

import io.millrace.codec.Counter;
import io.millrace.schema.Field;
import io.millrace.schema.Schema;
import java.io.IOException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A table loaded from a file, which can be loaded again while it is read. The old rows are served until the new ones
 * are there as a whole; then all readers see these from their next look-up on. Where the new file is bad, the old rows
 * go on being served and {@link #status} tells why.
 *
 * <p>Safe for use by many threads; one at a time loads.
 */
public final class ServedTable implements Table {

    private final TableDefinition definition;
    private volatile PackedTable served;
    private volatile Instant since = Instant.now();
    private volatile @Nullable String error;
    private final Counter loads = new Counter();
    private final Counter failures = new Counter();
    private long stamp;

    private ServedTable(TableDefinition definition, PackedTable served) {
        this.definition = definition;
        this.served = served;
        this.stamp = sourceStamp();
        loads.set(1);
    }

    /**
     * Loads a table.
     *
     * @throws TableException with all that is wrong
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

    /** The rows that are served now. */
    public PackedTable served() {
        return served;
    }

    /**
     * Loads the file again. Where types of columns followed from what the file held first, they stay: a value that does
     * not fit them makes the file a bad one.
     *
     * @throws TableException with all that is wrong; what was served before is served on
     */
    public synchronized void reload() {
        stamp = sourceStamp();
        try {
            served = TableLoader.load(definition, served.schema());
            since = Instant.now();
            error = null;
            loads.add(1);
        } catch (TableException e) {
            error = e.getMessage();
            failures.add(1);
            throw e;
        }
    }

    /** Loads the file again if it is another than when that was last tried; tells whether it was. */
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
            return -1; // a file that is gone is another file: loading it tells why
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
                error);
    }
}
