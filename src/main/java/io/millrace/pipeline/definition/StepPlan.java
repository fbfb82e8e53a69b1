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

/** A validated and compiled step. */
public sealed interface StepPlan {

    /** Returns the explanation of the step and its compiled expressions. */
    StepExplanation explanation();

    /** Returns the name of the step and of its output channel. */
    default String name() {
        return explanation().name();
    }

    /** Returns the kind of the step in the configuration. */
    default String kind() {
        return explanation().kind();
    }

    /** Keeps the records that match a filter. */
    record FilterPlan(StepExplanation explanation, BatchFilter filter) implements StepPlan {}

    /** Copies fields of the table's row to the added fields. */
    record EnrichPlan(StepExplanation explanation, Table table, RowKeys keys, List<Copy> copies, OnMiss onMiss)
            implements StepPlan {}

    /** The keys by which rows of a table are found. */
    sealed interface RowKeys {}

    /** Integer keys, or codes of an enum. */
    record NumberKeys(BatchKeys loop) implements RowKeys {}

    /**
     * Text keys.
     *
     * @param type type in which keys are encoded, which is that of the table's key
     */
    record TextKeys(BatchTexts loop, FieldType.StringType type) implements RowKeys {}

    /**
     * A copy of one field from a table's row to a record's added fields.
     *
     * @param from first byte in the row
     * @param to first byte in the record's added fields
     * @param length length in bytes of the value, and of the null flag after it if the row has one
     * @param flagsMiss whether the record has a null flag there and the row does not: without a matching row, the field
     *     is absent
     * @param otherwise bytes written without a matching row if defaults are configured, including the null flag
     */
    record Copy(int from, int to, int length, boolean flagsMiss, byte[] otherwise) {}

    /** Computes fields. */
    record SetPlan(StepExplanation explanation, BatchSetter setter) implements StepPlan {}

    /** Adds records to a measure. */
    record MeasureStepPlan(StepExplanation explanation, MeasurePlan measure) implements StepPlan {}

    /**
     * Splits the batch. A {@code to} step is a route without conditions.
     *
     * @param targets one target for each condition of the router, in order, and one for "otherwise" if there is one
     * @param hasOtherwise whether the last target receives the records for which no condition holds
     */
    record RoutePlan(StepExplanation explanation, BatchRouter router, List<Target> targets, boolean hasOtherwise)
            implements StepPlan {}
}
