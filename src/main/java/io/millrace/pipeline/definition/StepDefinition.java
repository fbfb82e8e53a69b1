package io.millrace.pipeline.definition;

import io.millrace.measure.MeasureDefinition;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One step of a pipeline as configuration has it. */
public sealed interface StepDefinition {

    /** The word that configuration, channels and metrics have for this kind of step. */
    String kind();

    /** Keeps the records for which the condition holds. */
    record FilterDefinition(String condition) implements StepDefinition {
        @Override
        public String kind() {
            return "filter";
        }
    }

    /**
     * Adds fields of a reference table's row.
     *
     * @param table name of the table
     * @param key expression for the row's key
     * @param add names of new fields, each with the table's field that it is taken from
     * @param onMiss what becomes of a record whose key the table does not hold
     * @param defaults values of new fields for {@link OnMiss#DEFAULT}, as text files have them
     */
    record EnrichDefinition(
            String table, String key, Map<String, String> add, OnMiss onMiss, Map<String, String> defaults)
            implements StepDefinition {
        @Override
        public String kind() {
            return "enrich";
        }
    }

    /** What becomes of a record whose key a table does not hold. */
    enum OnMiss {
        /** The added fields are absent. */
        ABSENT,
        /** The added fields have their defaults; those without one are absent. */
        DEFAULT,
        /** The record is rejected. */
        REJECT
    }

    /** Computes fields: existing ones are overwritten, others added. */
    record SetDefinition(Map<String, String> expressions) implements StepDefinition {
        @Override
        public String kind() {
            return "set";
        }
    }

    /** Measures records, which all go on. */
    record MeasureStepDefinition(MeasureDefinition measure) implements StepDefinition {
        @Override
        public String kind() {
            return "measure";
        }
    }

    /** Sends each record along the first branch whose condition holds; a record that none takes is dropped. */
    record RouteDefinition(List<BranchDefinition> branches) implements StepDefinition {
        @Override
        public String kind() {
            return "route";
        }
    }

    /** Sends all records on to one target. */
    record ToDefinition(String target) implements StepDefinition {
        @Override
        public String kind() {
            return "to";
        }
    }

    /** Stands where configuration has something that is no step; a problem has been reported already. */
    record UnreadableDefinition() implements StepDefinition {
        @Override
        public String kind() {
            return "unreadable";
        }
    }

    /**
     * A branch of a route.
     *
     * @param condition null for "otherwise"
     * @param target name of a region, or {@code channel:} and the name of a channel
     */
    record BranchDefinition(@Nullable String condition, String target) {}
}
