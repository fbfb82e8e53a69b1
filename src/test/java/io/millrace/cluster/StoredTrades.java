package io.millrace.cluster;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.BitSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Asks a region which trades of a file it holds, and holds them against those that it must hold. */
final class StoredTrades {

    private static final Pattern ID = Pattern.compile("\"id\":(\\d+)");
    /** As many as one answer can have. */
    private static final int PAGE = 10_000;

    private final String region;
    private final BitSet wanted;
    private final int behind;

    /**
     * @param wanted ids of the trades of the whole file that belong here
     * @param behind how far before the highest id that is stored others can still be missing
     */
    StoredTrades(String region, BitSet wanted, int behind) {
        this.region = region;
        this.wanted = wanted;
        this.behind = behind;
    }

    /** Asserts that it holds, once each, the trades up to where it has come, and says where that is. */
    long verify(Node node) {
        int to = reached(node);
        long count = 0;
        long sum = 0;
        BitSet ids = new BitSet();
        for (int from = 0; from < to; from += PAGE) {
            Matcher page = ID.matcher(ask(node, "id > " + from + " and id <= " + Math.min(from + PAGE, to), "", PAGE));
            while (page.find()) {
                int id = Integer.parseInt(page.group(1));
                count++;
                sum += id;
                ids.set(id);
            }
        }
        BitSet expected = wanted.get(0, to + 1);
        BitSet missing = (BitSet) expected.clone();
        missing.andNot(ids);
        assertThat(missing.cardinality())
                .as("missing in " + region + " up to " + to + ", the first is " + missing.nextSetBit(0))
                .isZero();
        assertThat(ids).as(region).isEqualTo(expected);
        assertThat(count).as("records of " + region).isEqualTo(expected.cardinality());
        assertThat(sum)
                .as("ids of " + region)
                .isEqualTo(expected.stream().asLongStream().sum());
        return to;
    }

    private int reached(Node node) {
        Matcher highest = ID.matcher(ask(node, "id > 0", "id desc", 1));
        return highest.find() ? Math.max(0, Integer.parseInt(highest.group(1)) - behind) : 0;
    }

    /** Asks again where it is refused: a question may come while buckets move. */
    private String ask(Node node, String where, String order, int limit) {
        return await().atMost(60, SECONDS)
                .until(() -> node.records(region, "id", where, order, limit), Node.Answer::good)
                .body();
    }
}
