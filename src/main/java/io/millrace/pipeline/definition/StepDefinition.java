package io.millrace.pipeline.definition;

import io.millrace.measure.MeasureDefinition;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A step of a pipeline as configured. */
public sealed interface StepDefinition {

    /** Returns the name of this kind of step in configuration, channels and metrics. */
    String kind();

    /** Keeps records for which a condition holds and drops the others. */
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
     * @param add names of the new fields, each with the table's field whose value it gets
     * @param onMiss handling of a record whose key is not in the table
     * @param defaults values of new fields for {@link OnMiss#DEFAULT}, in the notation of text files
     */
    record EnrichDefinition(
            String table, String key, Map<String, String> add, OnMiss onMiss, Map<String, String> defaults)
            implements StepDefinition {
        @Override
        public String kind() {
            return "enrich";
        }
    }

    /** The handling of a record whose key is not in a table. */
    enum OnMiss {
        /** The added fields are absent. */
        ABSENT,
        /** The added fields have their defaults. Fields without a default are absent. */
        DEFAULT,
        /** The record is rejected. */
        REJECT
    }

    /** Computes fields: overwrites existing fields and adds new ones. */
    record SetDefinition(Map<String, String> expressions) implements StepDefinition {
        @Override
        public String kind() {
            return "set";
        }
    }

    /** Adds records to a measure and forwards all of them. */
    record MeasureStepDefinition(MeasureDefinition measure) implements StepDefinition {
        @Override
        public String kind() {
            return "measure";
        }
    }

    /** Sends each record to the first branch whose condition holds. A record that matches no branch is dropped. */
    record RouteDefinition(List<BranchDefinition> branches) implements StepDefinition {
        @Override
        public String kind() {
            return "route";
        }
    }

    /** Sends all records to one target. */
    record ToDefinition(String target) implements StepDefinition {
        @Override
        public String kind() {
            return "to";
        }
    }

    /** A placeholder for a step that could not be read, which has been reported. */
    record UnreadableDefinition() implements StepDefinition {
        @Override
        public String kind() {
            return "unreadable";
        }
    }

    /**
     * A branch of a route.
     *
     * @param condition condition, or null for "otherwise"
     * @param target name of a region, or {@code channel:} followed by the name of a channel
     */
    record BranchDefinition(@Nullable String condition, String target) {}
}
