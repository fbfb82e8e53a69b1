package io.millrace.store.write;

import io.millrace.store.error.CorruptDataException;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * The position up to which a pipeline has processed its feed: all records before it are stored in its regions, dropped
 * or rejected, and were sent to all channels. Stored after the data that it covers, so it may lag behind the regions
 * but is never ahead of them.
 *
 * @param position in the feed, exclusive
 * @param rules identifies the rules that process the records from the position on; equal for equal rules
 * @param version number of the version of these rules
 * @param since position from which this version processes records; no later version has processed any
 * @param feed identifies the feed, as {@code Feed.identity} describes it; empty if it can't be identified
 * @param clean whether nothing was written since: no region is ahead of the position
 * @param aligned position from which on all regions can discard their records: the one of an earlier commit of this
 *     version, or this one, at which each region had everything before it and nothing else, and no block contains
 *     records from before and after it; -1 if unknown
 * @param regions position up to which each region is covered, possibly further; absent if unknown
 * @param tables version of each table by whose rows records are processed from the position on
 */
public record Commit(
        long position,
        String rules,
        long version,
        long since,
        String feed,
        boolean clean,
        long aligned,
        Map<String, Long> regions,
        Map<String, String> tables) {

    /** The value of {@link #aligned()} if it is unknown. */
    public static final long UNALIGNED = -1;

    private static final String REGION = "region.";
    private static final String TABLE = "table.";

    public Commit {
        regions = Map.copyOf(regions);
        tables = Map.copyOf(tables);
    }

    /** Creates a commit of rules that use no table. */
    public Commit(
            long position,
            String rules,
            long version,
            long since,
            String feed,
            boolean clean,
            long aligned,
            Map<String, Long> regions) {
        this(position, rules, version, since, feed, clean, aligned, regions, Map.of());
    }

    /**
     * Returns the commit as text, one {@code key=value} per line:
     *
     * <pre>
     * position=117000000
     * rules=5f1e9c07
     * version=3
     * since=39000000
     * feed=file size=117000000 first=...
     * clean=true
     * aligned=117000000
     * region.buys=117000000
     * region.sells=117000000
     * table.desks=9c1f0d5e4b7a6820
     * </pre>
     */
    public String text() {
        StringBuilder text = new StringBuilder("position=" + position + "\nrules=" + rules + "\nversion=" + version
                + "\nsince=" + since + "\nfeed=" + feed + "\nclean=" + clean + "\naligned=" + aligned);
        new TreeMap<>(regions).forEach((name, covered) -> append(text, REGION, name, covered));
        new TreeMap<>(tables).forEach((name, used) -> append(text, TABLE, name, used));
        return text.toString();
    }

    private static void append(StringBuilder text, String prefix, String name, Object value) {
        text.append("\n").append(prefix).append(name).append('=').append(value);
    }

    /**
     * Parses what {@link #text} returned.
     *
     * @throws CorruptDataException if the text is not a commit
     */
    public static Commit parse(String text) {
        Map<String, String> values = new HashMap<>();
        for (String line : text.split("\n", -1)) {
            int end = line.indexOf('=');
            if (end > 0) {
                values.put(line.substring(0, end), line.substring(end + 1));
            }
        }
        try {
            Map<String, Long> regions = new HashMap<>();
            Map<String, String> tables = new HashMap<>();
            values.forEach((key, value) -> {
                if (key.startsWith(REGION)) {
                    regions.put(key.substring(REGION.length()), Long.parseLong(value));
                } else if (key.startsWith(TABLE)) {
                    tables.put(key.substring(TABLE.length()), value);
                }
            });
            return new Commit(
                    Long.parseLong(value(values, "position")),
                    value(values, "rules"),
                    Long.parseLong(value(values, "version")),
                    Long.parseLong(value(values, "since")),
                    value(values, "feed"),
                    Boolean.parseBoolean(value(values, "clean")),
                    Long.parseLong(value(values, "aligned")),
                    regions,
                    tables);
        } catch (IllegalArgumentException e) {
            throw new CorruptDataException(
                    "Invalid commit '" + text.replace('\n', ' ') + "'. The stored text is corrupt.", e);
        }
    }

    private static String value(Map<String, String> values, String key) {
        String value = values.get(key);
        if (value == null) {
            throw new IllegalArgumentException("Missing '" + key + "'.");
        }
        return value;
    }

    /** Returns the commit of a pipeline after one region has lost all its data. */
    public Commit emptied(String region) {
        Map<String, Long> covered = new HashMap<>(regions);
        covered.put(region, 0L);
        return new Commit(position, rules, version, since, feed, clean, UNALIGNED, covered, tables);
    }

    /** Returns the commit as one behind which something may be stored, so that its version has to continue. */
    public Commit unclean() {
        return new Commit(position, rules, version, since, feed, false, aligned, regions, tables);
    }

    /**
     * Returns the commit as one at an earlier position, from which on all regions may discard their records: whatever
     * version continues, and whichever regions have discarded them, takes these again.
     *
     * @param earlier at most the {@linkplain #aligned aligned} position
     */
    public Commit rewound(long earlier) {
        Map<String, Long> covered = new HashMap<>(regions);
        covered.replaceAll((_, end) -> Math.min(end, earlier));
        return new Commit(earlier, rules, version, since, feed, false, earlier, covered, tables);
    }

    /** Returns the position up to which a region is covered: 0 if unknown. */
    public long covers(String region) {
        return regions.getOrDefault(region, 0L);
    }
}
