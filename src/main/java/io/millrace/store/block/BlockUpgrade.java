package io.millrace.store.block;

import io.millrace.codec.RawBytes;
import io.millrace.codec.compact.upgrade.CompactUpgrade;
import io.millrace.codec.compact.upgrade.UpgradeWriter;
import io.millrace.codec.layout.RecordUpgrade;
import io.millrace.codec.layout.RowUpgrade;
import io.millrace.schema.Schema;
import io.millrace.schema.evolution.DescriptionReader;
import io.millrace.schema.evolution.SchemaDescription;
import io.millrace.schema.evolution.SchemaDescription.FieldDescription;
import io.millrace.schema.evolution.SchemaEvolution;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Rewrites blocks of one earlier version of a region's schema as blocks of the newest one, version by version: each
 * step was accepted when its version was first used. Thread-safe.
 */
final class BlockUpgrade {

    private final Schema version;
    private final Schema newest;
    private final List<RecordUpgrade> steps;
    /** Fields of the newest version that had the same name in all versions since. */
    private final Set<String> retained;
    /** Whether no name of this version is that of another field now, so that names in stored blocks can be used. */
    private final boolean sameNames;

    private BlockUpgrade(
            Schema version, Schema newest, List<RecordUpgrade> steps, Set<String> retained, boolean sameNames) {
        this.version = version;
        this.newest = newest;
        this.steps = steps;
        this.retained = retained;
        this.sameNames = sameNames;
    }

    /**
     * Returns the upgrade of blocks of a version.
     *
     * @param versions the version, and those between it and the newest one, oldest first
     */
    static BlockUpgrade of(List<SchemaDescription> versions, Schema newest) {
        List<SchemaDescription> all = new ArrayList<>(versions);
        all.add(SchemaDescription.of(newest.stored()));
        List<RecordUpgrade> steps = new ArrayList<>();
        Set<String> retained = new HashSet<>();
        all.getLast().fields().forEach(field -> retained.add(field.name()));
        for (int i = 1; i < all.size(); i++) {
            RecordUpgrade step = RecordUpgrade.between(all.get(i - 1), all.get(i));
            if (!step.sameBytes()) {
                steps.add(step);
            }
            Map<String, String> sources = SchemaEvolution.sources(all.get(i - 1), all.get(i));
            retained.removeIf(name -> !name.equals(sources.get(name)));
        }
        boolean sameNames = versions.getFirst().fields().stream()
                .map(FieldDescription::name)
                .allMatch(name -> retained.contains(name) || !SchemaEvolution.describes(all.getLast(), name));
        return new BlockUpgrade(DescriptionReader.read(versions.getFirst()), newest, steps, retained, sameNames);
    }

    /** Returns whether a field has had its name and values since this version. */
    boolean retains(String field) {
        return retained.contains(field);
    }

    /** Returns the schema of this version. */
    Schema version() {
        return version;
    }

    /** As {@link Block#peek}, for a value of this version. */
    Block peek(byte[] bytes, BlockChecks.Mark checks) {
        return Block.peek(bytes, version, checks);
    }

    /** Returns a block of this version as one of the newest version. */
    Block newest(Block block) {
        if (steps.isEmpty() && (sameNames || block.encoding() != BlockFormat.COLUMNS_AND_RECORDS)) {
            return block;
        }
        block.checkRecords();
        return version.layout().variesInLength() ? varied(block) : rows(block);
    }

    /** As {@link BlockVersions#relabelled}. */
    byte @Nullable [] relabelled(Block block) {
        if (!steps.isEmpty() || version.layout().variesInLength() || block.version() != BlockFormat.VERSION) {
            return null;
        }
        byte[] bytes = block.bytes().clone();
        RawBytes.putLong(bytes, BlockFormat.FINGERPRINT_AT, newest.fingerprint());
        removeRange(bytes, BlockFormat.KEY_FLAG, BlockFormat.KEY_NAME_AT, BlockFormat.KEY_MIN_AT);
        removeRange(bytes, BlockFormat.TIME_FLAG, BlockFormat.TIME_NAME_AT, BlockFormat.TIME_MIN_AT);
        RawBytes.putInt(bytes, BlockFormat.CRC_AT, BlockFormat.crc(bytes, BlockFormat.CRC_FROM, block.recordsAt()));
        return bytes;
    }

    /** Removes a range from a header, unless its field has the same name now. */
    private void removeRange(byte[] header, int flag, int nameAt, int minAt) {
        int name = RawBytes.getInt(header, nameAt);
        boolean kept = retained.stream().anyMatch(field -> BlockFormat.nameCrc(field) == name);
        if ((header[BlockFormat.FLAGS_AT] & flag) != 0 && !kept) {
            header[BlockFormat.FLAGS_AT] &= (byte) ~flag;
            RawBytes.putInt(header, nameAt, 0);
            RawBytes.putLong(header, minAt, 0);
            RawBytes.putLong(header, minAt + Long.BYTES, 0);
        }
    }

    private Block rows(Block block) {
        int count = block.count();
        byte[] rows = block.bytes();
        int at = block.recordsAt();
        if (block.encoding() == BlockFormat.COLUMNS) {
            rows = decoded(block);
            at = 0;
        }
        for (RecordUpgrade step : steps) {
            RowUpgrade upgrade = step.rows();
            byte[] upgraded = new byte[length(BlockFormat.HEADER_LENGTH + (long) count * upgrade.toLength())];
            upgrade.upgrade(rows, at, count, upgraded, BlockFormat.HEADER_LENGTH);
            rows = upgraded;
            at = BlockFormat.HEADER_LENGTH;
        }
        new BlockHeader(newest, BlockFormat.ROWS).put(rows, 0, 0, block.from(), block.to(), count, null, null);
        return Block.trusted(rows);
    }

    private byte[] decoded(Block block) {
        int[] ordinals = new int[block.count()];
        for (int i = 0; i < ordinals.length; i++) {
            ordinals[i] = i;
        }
        byte[] rows = new byte[ordinals.length * version.recordLength()];
        ColumnLayout layout = ColumnLayout.of(version);
        ColumnBlock columns = new ColumnBlock(layout).show(block);
        for (int i = 0; i < layout.columns().size(); i++) {
            columns.write(i, ordinals, ordinals.length, rows);
        }
        return rows;
    }

    private Block varied(Block block) {
        int count = block.count();
        int[] bounds = new int[count + 1];
        block.bounds(bounds);
        byte[] records = block.bytes();
        byte[] added = Arrays.copyOfRange(records, block.addedAt(0), block.addedAt(count));
        for (RecordUpgrade step : steps) {
            byte[] upgraded = new byte[length((long) count * step.rows().toLength())];
            step.rows().upgrade(added, 0, count, upgraded, 0);
            added = upgraded;
            CompactUpgrade compact = step.compact();
            if (compact != null) {
                records = rewritten(compact, records, bounds);
            }
        }
        return block(block, records, bounds, added);
    }

    /** Returns rewritten records, and sets their bounds. */
    private static byte[] rewritten(CompactUpgrade compact, byte[] records, int[] bounds) {
        UpgradeWriter writer = compact.writer();
        try {
            int start = bounds[0];
            for (int i = 0; i + 1 < bounds.length; i++) {
                int end = bounds[i + 1];
                bounds[i] = writer.length();
                writer.append(records, start, end);
                start = end;
            }
        } catch (IllegalArgumentException e) {
            throw new BlockFormatException("Invalid record of an earlier version: " + e.getMessage());
        }
        bounds[bounds.length - 1] = writer.length();
        return writer.bytes();
    }

    private Block block(Block block, byte[] records, int[] bounds, byte[] added) {
        int count = block.count();
        int longest = 0;
        for (int i = 0; i < count; i++) {
            longest = Math.max(longest, bounds[i + 1] - bounds[i]);
        }
        int width = BlockFormat.lengthBytes(longest);
        int recordsAt = length(BlockFormat.HEADER_LENGTH + (long) count * width + added.length);
        byte[] bytes = new byte[length((long) recordsAt + bounds[count] - bounds[0])];
        for (int i = 0; i < count; i++) {
            VariedBlockWriter.putLength(bytes, BlockFormat.HEADER_LENGTH + i * width, width, bounds[i + 1] - bounds[i]);
        }
        System.arraycopy(added, 0, bytes, BlockFormat.HEADER_LENGTH + count * width, added.length);
        System.arraycopy(records, bounds[0], bytes, recordsAt, bounds[count] - bounds[0]);
        new BlockHeader(newest, BlockFormat.VARIED)
                .put(bytes, 0, BlockFormat.lengthFlags(width), block.from(), block.to(), count, null, null);
        return Block.trusted(bytes);
    }

    /** Returns a length in bytes as that of an array. */
    private static int length(long bytes) {
        if (bytes > Integer.MAX_VALUE - Long.BYTES) {
            throw new BlockFormatException("Invalid length of a block of an earlier version: it would have " + bytes
                    + " bytes as one of the newest.");
        }
        return (int) bytes;
    }
}
