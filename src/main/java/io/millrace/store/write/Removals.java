package io.millrace.store.write;

import io.millrace.codec.RecordBatch;
import io.millrace.codec.RejectSink;
import io.millrace.expression.BatchRouter;
import io.millrace.expression.Compiled;
import io.millrace.expression.ExpressionCompiler;
import io.millrace.expression.function.FunctionRegistry;
import io.millrace.schema.Schema;
import java.util.List;

/**
 * Determines the records of a batch that remove the entry of their key instead of being put. Not thread-safe; allocates
 * only for a batch that is larger than all previous ones, and for rejects.
 */
public final class Removals {

    /** The result for a record. */
    private enum Verdict {
        PUT,
        REMOVE,
        REJECTED
    }

    private final BatchRouter condition;
    private final RecordBatch evaluated;
    private Verdict[] verdicts = new Verdict[0];
    private int[] branches = new int[0];

    /**
     * @param condition as {@link #compile} returns it
     * @param schema of the batches
     */
    public Removals(BatchRouter condition, Schema schema) {
        this.condition = condition;
        this.evaluated = new RecordBatch(schema);
    }

    /**
     * Compiles a region's condition.
     *
     * @param schema of the batches
     * @throws io.millrace.expression.error.ExpressionException if it is invalid
     */
    public static Compiled<BatchRouter> compile(String remove, Schema schema, FunctionRegistry functions) {
        return new ExpressionCompiler(schema, functions).router(List.of(remove));
    }

    /**
     * Evaluates the condition on a batch's selected records, whose selection stays unchanged.
     *
     * @param firstIndex index in the selection at which to start
     * @param rejects receives records for which it has no result
     */
    public void evaluate(RecordBatch batch, int firstIndex, RejectSink rejects) {
        int count = batch.selected() - firstIndex;
        if (verdicts.length < batch.count()) {
            verdicts = new Verdict[batch.count()];
            branches = new int[batch.count()];
        }
        evaluated.share(batch);
        System.arraycopy(batch.selection(), firstIndex, evaluated.selection(), 0, count);
        evaluated.select(count);
        for (int i = 0; i < count; i++) {
            verdicts[evaluated.selection()[i]] = Verdict.REJECTED;
        }
        condition.route(evaluated, branches, rejects);
        for (int i = 0; i < evaluated.selected(); i++) {
            verdicts[evaluated.selection()[i]] = branches[i] == BatchRouter.NONE ? Verdict.PUT : Verdict.REMOVE;
        }
    }

    /** Returns whether an evaluated record removes the entry of its key. */
    public boolean removes(int ordinal) {
        return verdicts[ordinal] == Verdict.REMOVE;
    }

    /** Returns whether an evaluated record was rejected. */
    public boolean rejected(int ordinal) {
        return verdicts[ordinal] == Verdict.REJECTED;
    }
}
