package io.millrace.expression;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.codec.RecordBatch;
import io.millrace.codec.RejectReason;
import io.millrace.expression.Tally.Event;
import io.millrace.expression.check.Checker;
import io.millrace.expression.ir.FoldKind;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.lifecycle.AfterContainer;
import org.jspecify.annotations.Nullable;

/**
 * Random conditions over records with groups, compiled, against stock SpEL over maps and lists. Where stock SpEL has no
 * result, a fold that stops early may have one.
 */
class GroupDifferentialTest {

    private static final String SEED = "20261123";
    private static final int ROUNDS = Integer.getInteger("millrace.rounds", 1);
    private static final long SHIFT = Long.getLong("millrace.seed", 0);
    private static final long ROUND_STEP = 0x9E3779B97F4A7C15L;
    private static final int RECORDS = 60;

    private static final Tally GROUPS = new Tally("groups");
    private static final SeenNodes NODES = new SeenNodes();

    @Property(tries = 1500, seed = SEED)
    void shouldFilterAsStockSpelDoes(@ForAll long seed) {
        for (int round = 0; round < ROUNDS; round++) {
            filterAgrees(new Random(seed ^ SHIFT ^ round * ROUND_STEP));
        }
    }

    private static void filterAgrees(Random random) {
        String text = new RandomGroupRules(random).condition(2);
        RandomOrders orders = new RandomOrders(random);
        List<Map<String, @Nullable Object>> decoded =
                Stream.generate(orders::order).limit(RECORDS).toList();
        GroupRecords records = new GroupRecords(GroupRecords.ORDERS);
        decoded.forEach(records::add);
        BatchFilter filter =
                new ExpressionCompiler(GroupRecords.ORDERS).filter(text).loop();
        GROUPS.add(Event.EXPRESSION);
        NODES.add(new Checker(GroupRecords.ORDERS, SampleFunctions.REGISTRY).check(text));
        RecordBatch batch = records.batch();
        Map<Integer, RejectReason> rejects = new HashMap<>();
        filter.apply(batch, (_, ordinal, reason) -> rejects.put(ordinal, reason));
        Set<Integer> kept = new HashSet<>(Records.alive(batch));
        assertSameWithDeferredElements(filter, records.batchWithDeferredElements(), kept, rejects);
        StockGroups stock = new StockGroups(text);
        for (int i = 0; i < RECORDS; i++) {
            Boolean right = stock.answer(decoded.get(i));
            if (right == null) {
                GROUPS.add(Event.REJECTED);
                continue;
            }
            assertThat(rejects.containsKey(i) ? null : (Boolean) kept.contains(i))
                    .as("%s%nover %s%nrejected %s", text, decoded.get(i), rejects.get(i))
                    .isEqualTo(right);
            GROUPS.add(right ? Event.MATCHED : Event.UNMATCHED);
        }
    }

    private static void assertSameWithDeferredElements(
            BatchFilter filter, RecordBatch batch, Set<Integer> kept, Map<Integer, RejectReason> rejects) {
        Map<Integer, RejectReason> otherRejects = new HashMap<>();
        filter.apply(batch, (_, ordinal, reason) -> otherRejects.put(ordinal, reason));
        assertThat(Records.alive(batch)).containsExactlyInAnyOrderElementsOf(kept);
        assertThat(otherRejects).isEqualTo(rejects);
    }

    @AfterContainer
    static void shouldHaveCompiledAndMatched() {
        GROUPS.requires(Event.EXPRESSION, 1500)
                .requires(Event.MATCHED, 20_000)
                .requires(Event.UNMATCHED, 20_000)
                .limits(Event.REJECTED, 0.1, Event.MATCHED);
        // Stock SpEL refuses an index without an element; GroupSyntaxTest has it.
        assertThat(NODES.kinds())
                .containsAll(Arrays.stream(FoldKind.values())
                        .filter(kind -> kind != FoldKind.AT)
                        .map(kind -> "Fold " + kind)
                        .toList());
    }
}
