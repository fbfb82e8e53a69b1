package io.millrace.store.scan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.millrace.codec.RejectReason;
import io.millrace.expression.BatchFilter;
import io.millrace.expression.BatchKeys;
import io.millrace.expression.function.FunctionRegistry;
import io.millrace.store.Entries;
import io.millrace.store.Trades;
import io.millrace.store.block.BlockChecks;
import io.millrace.store.block.BlockWriter;
import io.millrace.store.block.RowBlockWriter;
import io.millrace.store.error.CorruptDataException;
import io.millrace.store.error.StoreException;
import io.millrace.store.query.AggregateQuery;
import io.millrace.store.query.OnError;
import io.millrace.store.query.Query;
import io.millrace.store.query.QueryResult;
import io.millrace.store.query.StoredRecords;
import io.millrace.store.region.Layout;
import io.millrace.store.region.RegionDefinition;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class QueryScanTest {

    private static final EncodedQuery NOTHING_ENCODED = new EncodedQuery(List.of(), null, Set.of(), Set.of());

    private static final BatchKeys ID = (batch, into, _) -> {
        for (int i = 0; i < batch.selected(); i++) {
            into[i] = Trades.id(batch.bytes(), batch.offset(batch.selection()[i]));
        }
    };

    /** Has no result for ids that end in 7. */
    private static final BatchKeys LAST_DIGIT = (batch, into, rejects) -> {
        int kept = 0;
        for (int i = 0; i < batch.selected(); i++) {
            int ordinal = batch.selection()[i];
            long digit = Trades.id(batch.bytes(), batch.offset(ordinal)) % 10;
            if (digit == 7) {
                rejects.reject(batch, ordinal, new RejectReason(RejectReason.Kind.EXPRESSION, "seven"));
            } else {
                into[kept] = digit;
                batch.selection()[kept++] = ordinal;
            }
        }
        batch.select(kept);
    };

    private static final RegionDefinition REGION =
            new RegionDefinition("trades", Layout.BLOCKS, 0, false, Trades.SCHEMA, List.of(), 4096);

    private static final RegionDefinition ENTRIES =
            new RegionDefinition("trades", Layout.ENTRIES, 0, false, Trades.SCHEMA, List.of("id"), 4096);

    private static final BatchFilter EVEN = (batch, _) -> Trades.every(2, batch);

    private static QueryScan scan(int limit, QueryPlan.Order... orders) {
        QueryScan scan = new QueryScan(
                REGION,
                new QueryPlan(
                        Trades.SCHEMA,
                        () -> EVEN,
                        StoredRecords.of(Trades.SCHEMA, List.of("id"), FunctionRegistry.empty()),
                        List.of(orders),
                        NOTHING_ENCODED));
        scan.begin(limit, Integer.MAX_VALUE);
        return scan;
    }

    private static QueryResult finish(QueryScan scan) {
        return Answers.of(scan, Query.all().withOnError(OnError.SKIP), scan.part());
    }

    private static byte[] block(int first, int end) {
        BlockWriter writer = new RowBlockWriter(Trades.SCHEMA, null, end - first);
        writer.append(Trades.batch(Trades.feed(end), first, end), 0);
        return writer.seal(0, 1);
    }

    private static List<Object> ids(QueryResult result) {
        return result.records().stream().map(record -> record.get("id")).toList();
    }

    @Test
    void shouldFindInBlocksInTheOrderOfStoring() {
        QueryScan scan = scan(4);
        scan.block(0, block(100, 105), new BlockChecks());
        assertThat(scan.wanted()).isTrue();
        scan.block(0, block(0, 5), new BlockChecks());

        assertThat(scan.wanted()).isFalse();
        QueryResult result = finish(scan);
        assertThat(ids(result)).containsExactly(100L, 102L, 104L, 0L);
        assertThat(result.counts().scanned()).isEqualTo(10);
        assertThat(result.counts().failed()).isZero();
    }

    @Test
    void shouldOrderBySeveralKeysAndCountWhatHasNone() {
        QueryPlan.Order byId = new QueryPlan.Order(() -> ID, true, null);
        QueryScan scan = new QueryScan(
                REGION,
                new QueryPlan(
                        Trades.SCHEMA,
                        null,
                        StoredRecords.of(Trades.SCHEMA, List.of(), FunctionRegistry.empty()),
                        List.of(byId, new QueryPlan.Order(() -> LAST_DIGIT, false, null)),
                        NOTHING_ENCODED));
        scan.begin(1000, Integer.MAX_VALUE);
        scan.block(0, block(0, 50), new BlockChecks());
        QueryResult result = finish(scan);

        assertThat(ids(result))
                .isEqualTo(LongStream.range(0, 50)
                        .map(i -> 49 - i)
                        .filter(i -> i % 10 != 7)
                        .boxed()
                        .toList());
        assertThat(result.counts().failed()).isEqualTo(5);
        assertThat(result.counts().firstFailure()).isEqualTo("seven");
        assertThat(result.records().getFirst())
                .containsEntry("side", "Sell")
                .containsEntry("amount", BigDecimal.valueOf(49 * 7919L % 100_003, 2));
    }

    @Test
    void shouldFindAmongEntriesOfSeveralChunks() {
        QueryScan scan =
                scan(3, new QueryPlan.Order(() -> LAST_DIGIT, true, null), new QueryPlan.Order(() -> ID, true, null));
        byte[] feed = Trades.feed(2500);
        for (int i = 0; i < 2500; i++) {
            byte[] record = Arrays.copyOfRange(feed, i * Trades.LENGTH, (i + 1) * Trades.LENGTH);
            scan.entry(i, Entries.of(REGION, i, record));
        }
        QueryResult result = finish(scan);

        assertThat(ids(result)).containsExactly(2498L, 2488L, 2478L);
        assertThat(result.counts().scanned()).isEqualTo(2500);
    }

    @Test
    void shouldCountAWinnerWhoseBytesAreNoValue() {
        byte[] record = Trades.feed(1);
        record[10] = 9;
        QueryScan scan = new QueryScan(
                REGION,
                new QueryPlan(
                        Trades.SCHEMA,
                        null,
                        StoredRecords.of(Trades.SCHEMA, List.of(), FunctionRegistry.empty()),
                        List.of(),
                        NOTHING_ENCODED));
        scan.begin(10, Integer.MAX_VALUE);
        scan.entry(0, Entries.of(REGION, 0, record));
        QueryResult result = finish(scan);

        assertThat(result.records()).isEmpty();
        assertThat(result.counts().failed()).isOne();
        assertThat(result.counts().firstFailure()).contains("Invalid value '9' of 'side'.");
    }

    private static void scanOnly(QueryScan scan, Object key, byte[] entry) {
        scan.begin(1, Integer.MAX_VALUE);
        scan.entry(key, entry);
        scan.flush();
    }

    @Test
    void shouldRefuseWhatIsNotStoredOrTooMuch() {
        QueryScan entries = QueryScan.of(ENTRIES, new Query(null, List.of(), List.of(), 1), FunctionRegistry.empty());
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> scanOnly(entries, 7L, Entries.of(REGION, 7L, new byte[22])))
                .withMessageContaining("Invalid length of a value in region 'trades', key '7': 22 bytes.");
        assertThatExceptionOfType(CorruptDataException.class)
                .isThrownBy(() -> scanOnly(entries, 8L, Entries.of(REGION, 7L, Trades.feed(1))))
                .withMessageContaining("Corrupt entry in region 'trades', key '8': invalid checksum.");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> StoredRecords.of(Trades.SCHEMA, List.of("colour"), FunctionRegistry.empty()))
                .withMessageContaining("Unknown field 'colour'");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Query(null, List.of(), List.of(), 0))
                .withMessageContaining("Invalid limit '0'");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Query(null, List.of(), List.of("id"), 1_000_001))
                .withMessageContaining("Invalid limit '1000001'. Use 1 to 1000000.");
    }

    @Test
    void shouldRefuseAQueryOfTooManyExpressions() {
        List<String> ids = Collections.nCopies(1_001, "id");
        assertThatCode(() -> new Query(null, ids.subList(0, 1_000), ids.subList(0, 16), 1))
                .doesNotThrowAnyException();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Query(null, List.of(), ids.subList(0, 17), 1))
                .withMessage("Too many expressions in 'orderBy': 17. At most 16 are allowed.");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Query(null, ids, List.of(), 1))
                .withMessage("Too many expressions in 'select': 1001. At most 1000 are allowed.");
        assertThatCode(() -> new AggregateQuery(null, ids.subList(0, 16), ids.subList(0, 64), 1))
                .doesNotThrowAnyException();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new AggregateQuery(null, ids.subList(0, 17), List.of("count()"), 1))
                .withMessage("Too many expressions in 'by': 17. At most 16 are allowed.");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new AggregateQuery(null, List.of(), ids.subList(0, 65), 1))
                .withMessage("Too many expressions in 'values': 65. At most 64 are allowed.");
    }
}
