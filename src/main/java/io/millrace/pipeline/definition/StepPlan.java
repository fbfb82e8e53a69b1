package io.millrace.pipeline.definition;

import io.millrace.expression.BatchFilter;
import io.millrace.expression.BatchKeys;
import io.millrace.expression.BatchRouter;
import io.millrace.expression.BatchSetter;
import io.millrace.expression.BatchTexts;
import io.millrace.measure.MeasurePlan;
import io.millrace.pipeline.definition.StepDefinition.OnMiss;
import io.millrace.schema.FieldType;
import io.millrace.table.Table;
import java.util.List;

/** One step, checked and compiled. */
public sealed interface StepPlan {

    /** What the step is, and what its expressions became. */
    StepExplanation explanation();

    /** Name of the step and of the channel behind it. */
    default String name() {
        return explanation().name();
    }

    /** The word that configuration has for this kind of step. */
    default String kind() {
        return explanation().kind();
    }

    /** Keeps what the filter keeps. */
    record FilterPlan(StepExplanation explanation, BatchFilter filter) implements StepPlan {}

    /** Copies fields of the table's row to the added fields. */
    record EnrichPlan(StepExplanation explanation, Table table, RowKeys keys, List<Copy> copies, OnMiss onMiss)
            implements StepPlan {}

    /** What rows of a table are found by. */
    sealed interface RowKeys {}

    /** Whole numbers or codes. */
    record NumberKeys(BatchKeys loop) implements RowKeys {}

    /**
     * Texts.
     *
     * @param type as which they are written, that of the table's key
     */
    record TextKeys(BatchTexts loop, FieldType.StringType type) implements RowKeys {}

    /**
     * One field's way from a table's row to a record's added fields.
     *
     * @param from first byte in the row
     * @param to first byte in the record's added fields
     * @param length in bytes: of the value, and of the null flag behind it where the row has one
     * @param flagsMiss whether the record has a null flag there, and the row has none: the field is absent where there
     *     is no row
     * @param otherwise what is written instead where there is no row and defaults are asked for, null flag included
     */
    record Copy(int from, int to, int length, boolean flagsMiss, byte[] otherwise) {}

    /** Runs assignments. */
    record SetPlan(StepExplanation explanation, BatchSetter setter) implements StepPlan {}

    /** Measures records. */
    record MeasureStepPlan(StepExplanation explanation, MeasurePlan measure) implements StepPlan {}

    /**
     * Splits the batch. A {@code to} is a route that asks nothing.
     *
     * @param targets one for each condition of the router, in order, and one more for "otherwise" if there is one
     * @param hasOtherwise whether the last target takes what no condition holds for
     */
    record RoutePlan(StepExplanation explanation, BatchRouter router, List<Target> targets, boolean hasOtherwise)
            implements StepPlan {}
}
