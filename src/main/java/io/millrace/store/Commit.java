package io.millrace.store;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * How far a pipeline has processed its feed: everything before the position is stored in its regions, dropped or
 * rejected, and was sent to all channels. Stored after what it covers, so it may lag behind the regions but never
 * leads.
 *
 * @param position in the feed, exclusive
 * @param rules identifies the rules that judged the records before the position
 * @param feed identifies the feed, as {@code Feed.identity} describes it; empty where it can't be identified
 * @param clean whether nothing was written since: no region is ahead of the position
 * @param regions how far each region is covered, which may be further; a region is not named where nothing is known
 */
public record Commit(long position, String rules, String feed, boolean clean, Map<String, Long> regions) {

    private static final String REGION = "region.";

    public Commit {
        regions = Map.copyOf(regions);
    }

    /**
     * Returns the commit as text, one {@code key=value} per line:
     *
     * <pre>
     * position=117000000
     * rules=5f1e9c07
     * feed=file size=117000000 first=...
     * clean=true
     * region.buys=117000000
     * region.sells=117000000
     * </pre>
     */
    public String text() {
        StringBuilder text =
                new StringBuilder("position=" + position + "\nrules=" + rules + "\nfeed=" + feed + "\nclean=" + clean);
        new TreeMap<>(regions)
                .forEach((name, covered) -> text.append("\n")
                        .append(REGION)
                        .append(name)
                        .append('=')
                        .append(covered));
        return text.toString();
    }

    /**
     * Parses what {@link #text} returned.
     *
     * @throws StoreException where the text is not a commit
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
            values.forEach((key, value) -> {
                if (key.startsWith(REGION)) {
                    regions.put(key.substring(REGION.length()), Long.parseLong(value));
                }
            });
            return new Commit(
                    Long.parseLong(value(values, "position")),
                    value(values, "rules"),
                    value(values, "feed"),
                    Boolean.parseBoolean(value(values, "clean")),
                    regions);
        } catch (IllegalArgumentException e) {
            throw new StoreException(
                    "Invalid commit '" + text.replace('\n', ' ') + "'. The stored text is corrupt.", e);
        }
    }

    private static String value(Map<String, String> values, String key) {
        String value = values.get(key);
        if (value == null) {
            throw new IllegalArgumentException(key + " is missing");
        }
        return value;
    }

    /** Returns the commit of a pipeline of which one region has lost everything. */
    public Commit without(String region) {
        Map<String, Long> others = new HashMap<>(regions);
        others.remove(region);
        return new Commit(position, rules, feed, clean, others);
    }

    /** Returns the position up to which a region is covered: 0 where nothing is known. */
    public long covers(String region) {
        return regions.getOrDefault(region, 0L);
    }
}
