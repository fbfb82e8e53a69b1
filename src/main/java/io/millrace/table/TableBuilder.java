package io.millrace.table;

import io.millrace.codec.FieldCodec;
import io.millrace.codec.RawBytes;
import io.millrace.codec.RecordCodec;
import io.millrace.hash.KeyHash;
import io.millrace.memory.OffHeap;
import io.millrace.memory.RawMemory;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.Schema;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Builds a packed table from rows that are added one by one. The file is created atomically, complete and synced to
 * disk. Until then, the rows are stored in the same folder, and a killed process leaves the previous file unchanged.
 * The rows take no memory of the heap. Not thread-safe; each instance builds one table.
 */
public final class TableBuilder {

    private static final int MAX_PROBLEMS = 20;

    /** Maximum number of keys in a bucket. Random keys need about twenty in the largest tables. */
    private static final int BUCKET_MAX = 64;

    private final String name;
    private final String source;
    private final Schema schema;
    private final Field key;
    private final FieldCodec keyCodec;
    private final @Nullable Path file;
    private final RowSpool spool;
    private long smallestKey = Long.MAX_VALUE;
    private long largestKey = Long.MIN_VALUE;

    /**
     * @param name for messages
     * @param source where the rows come from, for messages
     * @param schema of the rows, of the fixed layout
     * @param key the field by which rows are found: an integer, a dictionary value or a text
     * @param file where to write the table; null to build it in memory
     * @throws IllegalArgumentException if the field can't be a key
     */
    public TableBuilder(String name, String source, Schema schema, String key, @Nullable Path file) {
        this.name = name;
        this.source = source;
        this.schema = RowSchemas.ofRecords(schema);
        this.key = key(this.schema, key);
        this.file = file;
        this.keyCodec = RecordCodec.of(this.schema).codec(key);
        this.spool = new RowSpool(schema.recordLength(), file);
    }

    /**
     * Returns the key field.
     *
     * @throws IllegalArgumentException if the field can't be a key
     */
    static Field key(Schema schema, String name) {
        Field key = schema.field(name);
        if (key == null || !canBeKey(key.type())) {
            throw new IllegalArgumentException((key == null
                            ? "Unknown key '" + name + "'."
                            : "Invalid key '" + name + "', of type "
                                    + key.type().describe() + ".")
                    + " Use a whole number, a text or, with a schema, a dictionary value.");
        }
        return key;
    }

    private static boolean canBeKey(FieldType type) {
        return type instanceof FieldType.IntegerType
                || type instanceof FieldType.EnumType
                || type instanceof FieldType.StringType;
    }

    /** Returns the schema of the rows. */
    public Schema schema() {
        return schema;
    }

    /** Returns whether the key of a row is not absent. The bytes of an absent one are a number or text like others. */
    boolean hasKey(byte[] row) {
        return !keyCodec.isAbsent(row, 0);
    }

    /**
     * Adds a row, which must have a key.
     *
     * @param line its line in the source
     * @param row of the schema; copied
     */
    public void add(long line, byte[] row) throws IOException {
        if (!isText()) {
            long number = number(row);
            smallestKey = Math.min(smallestKey, number);
            largestKey = Math.max(largestKey, number);
        }
        spool.add(line, row);
    }

    private boolean isText() {
        return key.type() instanceof FieldType.StringType;
    }

    /** Returns the key as a number; for a text, its hash. */
    private long number(byte[] row) {
        return key.type() instanceof FieldType.Numbered numbered
                ? RawBytes.get(row, key.offset(), numbered.storage())
                : KeyHash.of(row, key.offset(), key.type().bytes());
    }

    /**
     * Builds the table of all rows added.
     *
     * @param stamp identifies the source's version
     * @throws TableException if two rows have the same key, there are no rows, or there are 2^31 - 1 or more
     */
    public PackedTable build(long stamp) throws IOException {
        long rows = spool.count();
        if (rows == 0 || rows >= Integer.MAX_VALUE) {
            throw new TableException(
                    name,
                    source,
                    List.of(
                            rows == 0
                                    ? "The table has no rows."
                                    : "Too many rows: " + rows + ". Use at most " + (Integer.MAX_VALUE - 1) + "."));
        }
        TableForm form = isText() ? TableForm.HASHED : TableForm.of(rows, smallestKey, largestKey);
        boolean direct = form == TableForm.DIRECT;
        TableHeader header = new TableHeader(
                form,
                schema.fingerprint(),
                rows,
                direct ? largestKey - smallestKey + 1 : rows,
                direct ? smallestKey : 0,
                direct ? 0 : PackedTable.bucketsFor(rows),
                schema.recordLength(),
                stamp,
                key.name() + "\n" + SchemaText.write(schema));
        return file == null ? inMemory(header) : write(header, file);
    }

    private PackedTable inMemory(TableHeader header) {
        MemorySegment memory = OffHeap.allocate(header.length());
        fill(memory, header);
        header.complete(memory);
        return PackedTable.of(memory, header);
    }

    private PackedTable write(TableHeader header, Path target) throws IOException {
        Path part = target.resolveSibling("." + target.getFileName() + ".part");
        Files.deleteIfExists(part);
        try {
            MemorySegment memory = OffHeap.create(part, header.length());
            fill(memory, header);
            memory.force();
            header.complete(memory);
            memory.force();
            Files.move(part, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(part);
        }
        return PackedTable.open(name, target);
    }

    private void fill(MemorySegment memory, TableHeader header) {
        header.write(memory);
        Duplicates duplicates = new Duplicates();
        byte[] absent = RowSchemas.absentRow(schema);
        if (header.form() == TableForm.DIRECT) {
            fillDirect(memory, header, absent, duplicates);
        } else {
            fillHashed(memory, header, duplicates);
        }
        RawMemory.copy(absent, 0, memory, header.rowsAt(), absent.length);
        duplicates.throwIfAny();
    }

    private void fillDirect(MemorySegment memory, TableHeader header, byte[] absent, Duplicates duplicates) {
        spool.forEach((_, row) -> {
            long slot = number(row) - smallestKey;
            long wordAt = header.indexAt() + (slot >>> 6) * Long.BYTES;
            long word = RawMemory.getLong(memory, wordAt);
            long bit = 1L << slot;
            if ((word & bit) != 0) {
                duplicates.add(row);
            }
            RawMemory.putLong(memory, wordAt, word | bit);
            RawMemory.copy(row, 0, memory, rowAt(header, slot), row.length);
        });
        for (long slot = 0; slot < header.slots(); slot++) {
            long word = RawMemory.getLong(memory, header.indexAt() + (slot >>> 6) * Long.BYTES);
            if (((word >>> slot) & 1) == 0) {
                RawMemory.copy(absent, 0, memory, rowAt(header, slot), absent.length);
            }
        }
    }

    /**
     * Counts the rows of each bucket, computes where each bucket begins, and then writes each row behind those before
     * it.
     */
    private void fillHashed(MemorySegment memory, TableHeader header, Duplicates duplicates) {
        long indexAt = header.indexAt();
        spool.forEach((_, row) -> {
            long at = indexAt + (bucket(header, row) + 1) * Integer.BYTES;
            RawMemory.putInt(memory, at, RawMemory.getInt(memory, at) + 1);
        });
        int before = 0;
        for (long bucket = 0; bucket < header.buckets(); bucket++) {
            long at = indexAt + (bucket + 1) * Integer.BYTES;
            int size = RawMemory.getInt(memory, at);
            // The position of the bucket's next row for now; after all rows, the start of the next bucket.
            RawMemory.putInt(memory, at, before);
            before += size;
        }
        spool.forEach((_, row) -> {
            long at = indexAt + (bucket(header, row) + 1) * Integer.BYTES;
            int next = RawMemory.getInt(memory, at);
            RawMemory.putInt(memory, at, next + 1);
            RawMemory.putLong(memory, header.keysAt() + (long) next * Long.BYTES, number(row));
            RawMemory.copy(row, 0, memory, rowAt(header, next), row.length);
        });
        for (long bucket = 0; bucket < header.buckets(); bucket++) {
            int end = RawMemory.getInt(memory, indexAt + (bucket + 1) * Integer.BYTES);
            int begin = RawMemory.getInt(memory, indexAt + bucket * Integer.BYTES);
            for (int row = begin; row < Math.min(end, begin + BUCKET_MAX); row++) {
                findSame(memory, header, row, end, duplicates);
            }
            if (end - begin > BUCKET_MAX && duplicates.isEmpty()) {
                throw new TableException(
                        name,
                        source,
                        List.of("Too many keys with similar hashes: " + (end - begin) + ". At most " + BUCKET_MAX
                                + " are allowed: such keys are chosen to slow down lookups, they do not"
                                + " occur by chance."));
            }
        }
    }

    private void findSame(MemorySegment memory, TableHeader header, int row, int end, Duplicates duplicates) {
        long number = RawMemory.getLong(memory, header.keysAt() + (long) row * Long.BYTES);
        for (int other = row + 1; other < end; other++) {
            if (RawMemory.getLong(memory, header.keysAt() + (long) other * Long.BYTES) == number) {
                byte[] bytes = new byte[header.rowLength()];
                RawMemory.copy(memory, rowAt(header, row), bytes, 0, bytes.length);
                if (RawMemory.equal(
                        memory,
                        rowAt(header, other) + key.offset(),
                        bytes,
                        key.offset(),
                        key.type().bytes())) {
                    duplicates.add(bytes);
                    return;
                }
            }
        }
    }

    private static long rowAt(TableHeader header, long ordinal) {
        return header.rowsAt() + (ordinal + 1) * header.rowLength();
    }

    private long bucket(TableHeader header, byte[] row) {
        long number = number(row);
        return PackedTable.bucket(isText() ? number : KeyHash.of(number), header.buckets());
    }

    /** Keys that more than one row has. */
    private final class Duplicates {

        private final List<byte[]> rows = new ArrayList<>();

        /** @param row one of the rows with the key */
        void add(byte[] row) {
            if (rows.size() < MAX_PROBLEMS && rows.stream().noneMatch(other -> sameKey(row, other))) {
                rows.add(row.clone());
            }
        }

        boolean isEmpty() {
            return rows.isEmpty();
        }

        void throwIfAny() {
            if (rows.isEmpty()) {
                return;
            }
            long[] first = new long[rows.size()];
            List<String> problems = new ArrayList<>();
            spool.forEach((line, row) -> {
                for (int i = 0; i < first.length; i++) {
                    if (sameKey(row, rows.get(i))) {
                        if (first[i] == 0) {
                            first[i] = line;
                        } else if (problems.size() < MAX_PROBLEMS) {
                            problems.add("line " + line + ": Duplicate key '" + keyCodec.text(row, 0)
                                    + "', first in line " + first[i] + ". Remove one of the rows.");
                        }
                    }
                }
            });
            throw new TableException(name, source, problems);
        }

        private boolean sameKey(byte[] row, byte[] other) {
            int end = key.end();
            return Arrays.equals(row, key.offset(), end, other, key.offset(), end);
        }
    }
}
