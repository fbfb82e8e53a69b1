package io.millrace.simulation;

import io.millrace.codec.RawBytes;
import io.millrace.memory.RawMemory;
import io.millrace.pipeline.step.RunContext;
import io.millrace.pipeline.step.StepPlan;
import io.millrace.pipeline.step.TableRows;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.IntStorage;
import io.millrace.schema.Schema;
import io.millrace.table.PackedTable;
import io.millrace.table.ServedTable;
import io.millrace.table.TableDefinition;
import io.millrace.table.TableReader;
import io.millrace.table.TestTable;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** The table as a process has loaded it. All of its rows have the same number, until the file of the node changes. */
final class SimulatedTable {

    static final String NAME = "numbers";
    static final String FIELD = "number";
    private static final String KEY = "key";
    private static final int KEYS = 4;

    /** Expression for the key of a record. */
    static final String KEY_OF_RECORD = "id % " + KEYS;

    private static final Schema SCHEMA = new Schema(
            "number",
            Long.BYTES + Integer.BYTES,
            List.of(Field.of(KEY, integer(Long.BYTES), 0), Field.of(FIELD, integer(Integer.BYTES), Long.BYTES)),
            List.of());
    private static final TableDefinition DEFINITION = new TableDefinition(NAME, "numbers.bin", KEY, SCHEMA, null);

    /** Built once, by their number. */
    private static final Map<Integer, PackedTable> ROWS = new ConcurrentHashMap<>();

    private static final Map<String, Integer> NUMBERS = new ConcurrentHashMap<>();

    /** Number of the rows in the file of the node. */
    private int number;
    /** Null before a step reads the table. */
    private @Nullable ServedTable served;

    private @Nullable TableReader reader;

    SimulatedTable(int number) {
        this.number = number;
    }

    private ServedTable served() {
        ServedTable known = served;
        if (known == null) {
            known = TestTable.of(DEFINITION, rows(number));
            served = known;
        }
        return known;
    }

    private static FieldType integer(int bytes) {
        return new FieldType.IntegerType(IntStorage.of(bytes, true, ByteOrder.BIG_ENDIAN));
    }

    private static PackedTable rows(int number) {
        return ROWS.computeIfAbsent(number, _ -> {
            PackedTable rows = TestTable.rows(
                    DEFINITION,
                    LongStream.range(0, KEYS).mapToObj(key -> row(key, number)).toList());
            NUMBERS.put(rows.version(), number);
            return rows;
        });
    }

    private static byte[] row(long key, int number) {
        byte[] row = new byte[SCHEMA.recordLength()];
        RawBytes.putLong(row, 0, key);
        RawBytes.putInt(row, Long.BYTES, number);
        return row;
    }

    /** Returns the table that plans are compiled with. */
    static ServedTable planned() {
        return new SimulatedTable(0).served();
    }

    /** Returns the number of the rows of a version. */
    static int number(String version) {
        return Objects.requireNonNull(NUMBERS.get(version));
    }

    /** Loads the rows that the file of the node has now. */
    void load(int newNumber) {
        number = newNumber;
        if (served != null) {
            TestTable.serve(served, rows(newNumber));
        }
    }

    /** Returns a step that reads this table instead of the one that it was compiled with. */
    StepPlan reading(StepPlan step) {
        return new StepPlan(
                step.explanation(),
                step.reads(),
                step.targets(),
                step.measures(),
                run -> step.create(new RunContext(
                        run.pipeline(),
                        run.schema(),
                        run.output(),
                        run.channels(),
                        run.outputs(),
                        run.rejects(),
                        run.retry(),
                        run.store(),
                        run.writers(),
                        run.writer(),
                        run.partitions(),
                        run.persistent(),
                        run.measures(),
                        reading(run.tables()))));
    }

    private TableRows reading(TableRows rows) {
        return (_, fields) -> {
            reader = rows.reader(served(), fields);
            return rows.reader(served(), fields);
        };
    }

    /** Returns the number of the rows by which the pipeline processes records, 0 if it reads no table. */
    int inUse() {
        TableReader own = reader;
        if (own == null) {
            return 0;
        }
        long[] row = new long[1];
        int missing = own.find(new long[] {0}, 1, row);
        Stored.require(missing == 0, "the table has lost a row");
        byte[] bytes = new byte[SCHEMA.recordLength()];
        RawMemory.copy(own.memory(), row[0], bytes, 0, bytes.length);
        return RawBytes.getInt(bytes, Long.BYTES);
    }
}
