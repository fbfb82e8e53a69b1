package io.millrace.store.geode.shared;

import io.millrace.store.error.CorruptDataException;
import io.millrace.store.write.TableUse;
import io.millrace.store.write.TableVersions;
import io.millrace.store.write.Term;
import io.millrace.store.write.WriterName;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The versions of tables in a map. Texts are UTF-8:
 *
 * <pre>
 * WRITER/rows/TABLE/VERSION      size of the rows in bytes as text, put after the pieces
 * WRITER/rows/TABLE/VERSION/N    piece N of the rows, each of 1 MiB but the last
 * WRITER/uses/TABLE              the last uses, one per line, oldest first
 * WRITER/loaded/TABLE/INSTANCE   the version that an instance has loaded
 * </pre>
 *
 * Each writer has rows of its own, so that all changes are made in its term, and no process removes rows that another
 * one is about to commit.
 *
 * @param map of all versions
 * @param maxBytes maximum size in bytes of a version whose rows are stored
 * @param shared whether several processes use the map
 */
public record StoredTables(SharedMap<byte[]> map, long maxBytes, boolean shared) implements TableVersions {

    private static final int PIECE_BYTES = 1 << 20;

    @Override
    public long bytes(WriterName writer, String table, String version) {
        String size = text(rowsKey(writer, table, version));
        return size == null ? -1 : Long.parseLong(size);
    }

    @Override
    public void read(WriterName writer, String table, String version, MemorySegment rows) {
        String key = rowsKey(writer, table, version);
        for (long at = 0; at < rows.byteSize(); at += PIECE_BYTES) {
            byte[] piece = map.get(key + "/" + at / PIECE_BYTES);
            if (piece == null || piece.length != Math.min(PIECE_BYTES, rows.byteSize() - at)) {
                throw new CorruptDataException(
                        "Incomplete rows of table '" + table + "', version " + version + ".", null);
            }
            MemorySegment.copy(piece, 0, rows, ValueLayout.JAVA_BYTE, at, piece.length);
        }
    }

    @Override
    public void put(Term term, String table, String version, MemorySegment rows) {
        String key = rowsKey(term.writer(), table, version);
        for (long at = 0; at < rows.byteSize(); at += PIECE_BYTES) {
            long length = Math.min(PIECE_BYTES, rows.byteSize() - at);
            map.put(key + "/" + at / PIECE_BYTES, rows.asSlice(at, length).toArray(ValueLayout.JAVA_BYTE), term);
        }
        put(term, key, Long.toString(rows.byteSize()));
    }

    @Override
    public void retain(Term term, Map<String, String> versions) {
        WriterName writer = term.writer();
        String all = writer.text() + "/rows/";
        Set<String> retained = versions.entrySet().stream()
                .map(entry -> rowsKey(writer, entry.getKey(), entry.getValue()))
                .collect(Collectors.toSet());
        // The size comes first in the order, so that rows of which pieces were removed are not taken for complete ones.
        map.keys().stream()
                .filter(key -> key.startsWith(all) && !retained.contains(key) && !retained.contains(parent(key)))
                .sorted()
                .forEach(key -> map.remove(key, term));
    }

    private static String parent(String key) {
        return key.substring(0, key.lastIndexOf('/'));
    }

    @Override
    public List<TableUse> uses(WriterName writer, String table) {
        String text = text(usesKey(writer, table));
        return text == null ? List.of() : text.lines().map(TableUse::parse).toList();
    }

    @Override
    public void add(Term term, String table, TableUse use) {
        List<TableUse> uses = new ArrayList<>(uses(term.writer(), table));
        uses.add(use);
        String text = uses.subList(Math.max(0, uses.size() - MAX_USES), uses.size()).stream()
                .map(TableUse::text)
                .collect(Collectors.joining("\n"));
        put(term, usesKey(term.writer(), table), text);
    }

    @Override
    public @Nullable String loaded(WriterName writer, String table, String instance) {
        return text(loadedKey(writer, table, instance));
    }

    @Override
    public void setLoaded(Term term, String table, String instance, String version) {
        put(term, loadedKey(term.writer(), table, instance), version);
    }

    /** Removes everything of a term's writer. */
    public void remove(Term term) {
        String all = term.writer().text() + "/";
        map.keys().stream().filter(key -> key.startsWith(all)).sorted().forEach(key -> map.remove(key, term));
    }

    private @Nullable String text(String key) {
        byte[] bytes = map.get(key);
        return bytes == null ? null : new String(bytes, StandardCharsets.UTF_8);
    }

    private void put(Term term, String key, String text) {
        map.put(key, text.getBytes(StandardCharsets.UTF_8), term);
    }

    private static String rowsKey(WriterName writer, String table, String version) {
        return writer.text() + "/rows/" + table + "/" + version;
    }

    private static String usesKey(WriterName writer, String table) {
        return writer.text() + "/uses/" + table;
    }

    private static String loadedKey(WriterName writer, String table, String instance) {
        return writer.text() + "/loaded/" + table + "/" + instance;
    }
}
