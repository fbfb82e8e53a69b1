package io.millrace.store;

import io.millrace.codec.RecordBatch;
import io.millrace.codec.RejectSink;
import io.millrace.expression.BatchRouter;
import io.millrace.expression.Compiled;
import io.millrace.expression.ExpressionCompiler;
import io.millrace.expression.FunctionRegistry;
import io.millrace.schema.Schema;
import java.util.List;

/**
 * Which records of a batch remove the entry of their key instead of being put. Not thread-safe; allocates only where a
 * batch is larger than all before it, and for rejects.
 */
public final class Removals {

    /** What becomes of a record. */
    private enum Verdict {
        PUT,
        REMOVE,
        REJECTED
    }

    private final BatchRouter condition;
    private final RecordBatch asked;
    private Verdict[] verdicts = new Verdict[0];
    private int[] branches = new int[0];

    /**
     * @param condition as {@link #compile} gives it
     * @param schema of the batches
     */
    public Removals(BatchRouter condition, Schema schema) {
        this.condition = condition;
        this.asked = new RecordBatch(schema);
    }

    /**
     * Compiles a region's condition.
     *
     * @param schema of the batches
     * @throws io.millrace.expression.ExpressionException where it is wrong
     */
    public static Compiled<BatchRouter> compile(String remove, Schema schema, FunctionRegistry functions) {
        return new ExpressionCompiler(schema, functions).router(List.of(remove));
    }

    /**
     * Asks the condition of a batch's selected records, whose selection stays as it is.
     *
     * @param firstIndex where in the selection to start
     * @param rejects receives records for which it has no result
     */
    public void evaluate(RecordBatch batch, int firstIndex, RejectSink rejects) {
        int count = batch.selected() - firstIndex;
        if (verdicts.length < batch.count()) {
            verdicts = new Verdict[batch.count()];
            branches = new int[batch.count()];
        }
        asked.share(batch);
        System.arraycopy(batch.selection(), firstIndex, asked.selection(), 0, count);
        asked.select(count);
        for (int i = 0; i < count; i++) {
            verdicts[asked.selection()[i]] = Verdict.REJECTED;
        }
        condition.route(asked, branches, rejects);
        for (int i = 0; i < asked.selected(); i++) {
            verdicts[asked.selection()[i]] = branches[i] == BatchRouter.NONE ? Verdict.PUT : Verdict.REMOVE;
        }
    }

    /** Whether a record that was asked about removes the entry of its key. */
    public boolean removes(int ordinal) {
        return verdicts[ordinal] == Verdict.REMOVE;
    }

    /** Whether a record that was asked about has gone to the rejects. */
    public boolean rejected(int ordinal) {
        return verdicts[ordinal] == Verdict.REJECTED;
    }
}
