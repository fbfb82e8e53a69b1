package io.millrace.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.feed.generator.RecordGenerator;
import io.millrace.pipeline.TradeFile;
import io.millrace.pipeline.TradeFile.Trade;
import io.millrace.schema.yaml.Schemas;
import java.util.BitSet;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Asks a region which trades of a feed it holds, and holds them against those that it must hold, worked out without the
 * service from the bytes of the feed.
 */
final class StoredTrades {

    private static final Pattern ID = Pattern.compile("\"id\":(\\d+)");
    /** As many as one answer can have. */
    private static final int PAGE = 10_000;

    private final String region;
    private final RecordGenerator feed;
    private final Predicate<Trade> belongs;
    private final int stride;
    private final int behind;
    private final BitSet wanted = new BitSet();
    private int read;

    /**
     * @param seed of the trades in the feed, whose ids are 1, 2, 3 and so on
     * @param belongs whether a trade belongs here
     * @param stride of so many trades one belongs here at the most
     * @param behind how far before the highest id that is stored others can still be missing
     */
    StoredTrades(String region, long seed, Predicate<Trade> belongs, int stride, int behind) {
        this.region = region;
        this.feed = RecordGenerator.of(Schemas.builtIn().get("trade"), seed);
        this.belongs = belongs;
        this.stride = stride;
        this.behind = behind;
    }

    /** Asserts that it holds, once each, the trades up to where it has come, and says how many that are. */
    int verify(Node node) {
        int to = reached(node);
        long count = 0;
        long sum = 0;
        BitSet ids = new BitSet();
        for (int from = 0; from < to; from += PAGE * stride) {
            Matcher page = ID.matcher(
                    query(node, "id > " + from + " and id <= " + Math.min(from + PAGE * stride, to), "", PAGE));
            while (page.find()) {
                int id = Integer.parseInt(page.group(1));
                count++;
                sum += id;
                ids.set(id);
            }
        }
        BitSet expected = wanted(to);
        assertThat(ids).as(region + " up to " + to).isEqualTo(expected);
        assertThat(count).as("records of " + region).isEqualTo(expected.cardinality());
        assertThat(sum)
                .as("ids of " + region)
                .isEqualTo(expected.stream().asLongStream().sum());
        return expected.cardinality();
    }

    private BitSet wanted(int to) {
        byte[] records = new byte[PAGE * TradeFile.LENGTH];
        for (; read < to; read += PAGE) {
            feed.fill(records, 0, PAGE);
            TradeFile.read(records).stream().filter(belongs).forEach(trade -> wanted.set((int) trade.id()));
        }
        return wanted.get(0, to + 1);
    }

    private int reached(Node node) {
        Matcher highest = ID.matcher(query(node, "id > 0", "id desc", 1));
        return highest.find() ? Math.max(0, Integer.parseInt(highest.group(1)) - behind) : 0;
    }

    /** Asks again where it is refused: a query may come while buckets move. */
    private String query(Node node, String where, String order, int limit) {
        return await().until(() -> node.records(region, "id", where, order, limit), Node.Answer::good)
                .body();
    }
}
