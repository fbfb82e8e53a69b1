package io.millrace.expression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.millrace.codec.RecordBatch;
import io.millrace.codec.RejectSink;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Elements that are found only when an expression reads them, and only in the records that remain. */
class DeferredElementsTest {

    private static final RejectSink FAIL = (_, ordinal, reason) -> {
        throw new AssertionError(ordinal + ": " + reason);
    };

    private final ExpressionCompiler compiler = new ExpressionCompiler(GroupRecords.ORDERS);

    private static RecordBatch orders() {
        GroupRecords records = new GroupRecords(GroupRecords.ORDERS);
        for (long id = 0; id < 10; id++) {
            records.add(Map.of("id", id, "currency", "EUR", "tags", List.of("a", "b"), "sizes", List.of((int) id)));
        }
        return records.batchWithDeferredElements();
    }

    private static int tags(RecordBatch batch) {
        int group = GroupRecords.ORDERS.groups().stream()
                .map(part -> part.path())
                .toList()
                .indexOf("tags[]");
        return batch.childRows().get(group).count();
    }

    @Test
    void shouldFindElementsOfRemainingRecordsOnly() {
        RecordBatch batch = orders();

        compiler.filter("id >= 7 and tags.contains('a') and sizes[0] != 8")
                .loop()
                .apply(batch, FAIL);

        assertThat(Arrays.copyOf(batch.selection(), batch.selected())).containsExactly(7, 9);
        assertThat(tags(batch)).isEqualTo(3 * 2);
    }

    @Test
    void shouldFindNoElementsForConditionsWithoutThem() {
        RecordBatch batch = orders();

        compiler.filter("id >= 7").loop().apply(batch, FAIL);

        assertThat(tags(batch)).isZero();
    }

    @Test
    void shouldFindElementsForEachKindOfLoop() {
        RecordBatch keys = orders();
        long[] sizes = new long[10];
        compiler.keys("sizes[0]").loop().fill(keys, sizes, FAIL);
        assertThat(sizes).containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8, 9);

        RecordBatch routed = orders();
        int[] branches = new int[10];
        compiler.router(List.of("sizes[0] > 8", "tags.size() == 2")).loop().route(routed, branches, FAIL);
        assertThat(branches).containsExactly(1, 1, 1, 1, 1, 1, 1, 1, 1, 0);

        RecordBatch assigned = orders();
        compiler.setter(List.of(
                        new Assignment(Objects.requireNonNull(GroupRecords.ORDERS.field("id")), "sizes[0] + 100")))
                .loop()
                .apply(assigned, FAIL);
        assertThat(tags(assigned)).isEqualTo(10 * 2);
    }

    /** Steps that follow read those of records that an earlier loop of the router took. */
    @Test
    void shouldFindElementsOfAllRecordsForARouterOfSeveralLoops() {
        RecordBatch batch = orders();
        int[] branches = new int[10];
        List<String> conditions = new ArrayList<>(Collections.nCopies(50, "id < 8"));
        conditions.add("sizes[0] > 8");
        compiler.router(conditions).loop().route(batch, branches, FAIL);

        assertThat(branches).containsExactly(0, 0, 0, 0, 0, 0, 0, 0, BatchRouter.NONE, 50);
        assertThat(tags(batch)).isEqualTo(10 * 2);
    }

    @Test
    void shouldFindElementsForNextRecordsAgain() {
        RecordBatch batch = orders();
        BatchFilter filter = compiler.filter("sizes[0] > 8").loop();
        filter.apply(batch, FAIL);
        filter.apply(batch, FAIL);

        assertThat(batch.selected()).isOne();
    }

    @Test
    void shouldNotShareRecordsWithoutElements() {
        RecordBatch batch = orders();

        assertThatIllegalStateException()
                .isThrownBy(() -> new RecordBatch(GroupRecords.ORDERS).share(batch))
                .withMessage("Elements of repeating parts are missing. Find them before.");

        batch.elements().find(batch, FAIL);
        assertThat(new RecordBatch(GroupRecords.ORDERS).share(batch).selected()).isZero();
    }
}
