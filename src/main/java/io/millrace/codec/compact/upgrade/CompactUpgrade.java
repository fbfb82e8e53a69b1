package io.millrace.codec.compact.upgrade;

import io.millrace.schema.CompactLayout;
import java.util.Map;

/**
 * Rewrites stored records of an older version of a compact layout as records of a newer one. Members of the newer
 * version can be renamed, reordered, optional instead of required, new and optional anywhere, or have a wider type;
 * members of the older version can be missing; at any depth. Names of codes and further frequent texts do not change
 * bytes.
 *
 * <pre>
 * older   | bits | a | b | party: length, bits, name ... | c |
 * newer   | bits | c | a | party: length, bits, name ... |
 * </pre>
 *
 * <p>Most values are copied as they are, and so are whole parts whose members did not change. Values are not checked:
 * those that are invalid for their field stay so.
 *
 * <p>Immutable, so safe for use by many threads.
 */
public final class CompactUpgrade {

    private final GroupUpgrade root;
    private final int places;

    private CompactUpgrade(GroupUpgrade root, int places) {
        this.root = root;
        this.places = places;
    }

    /**
     * Returns the upgrade of records.
     *
     * @param from layout that the stored records were written with
     * @param to layout of the records to write
     * @param sources former full paths of members, by full path. Members without an entry have their name in the older
     *     version, or are new
     * @throws IllegalArgumentException if a stored value might have no equal value in the newer version
     */
    public static CompactUpgrade of(CompactLayout from, CompactLayout to, Map<String, String> sources) {
        UpgradeBuilder builder = new UpgradeBuilder(Map.copyOf(sources));
        GroupUpgrade root = builder.record(from.root(), to.root());
        return new CompactUpgrade(root, builder.places());
    }

    /** Returns whether records of the older version are records of the newer one as they are. */
    public boolean sameBytes() {
        return root.sameBytes();
    }

    /** Returns a writer of records of the newer version. */
    public UpgradeWriter writer() {
        return new UpgradeWriter(root, places);
    }

    /**
     * Returns a record of the newer version. {@link UpgradeWriter} allocates less for many records.
     *
     * @param bytes array that contains the record
     * @param at offset of the record
     * @param end offset past the record
     * @throws IllegalArgumentException if the record is malformed, as in {@link UpgradeWriter#append}
     */
    public byte[] upgrade(byte[] bytes, int at, int end) {
        UpgradeWriter writer = writer();
        writer.append(bytes, at, end);
        return writer.toBytes();
    }
}
