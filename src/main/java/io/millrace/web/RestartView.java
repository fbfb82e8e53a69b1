package io.millrace.web;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.millrace.pipeline.Pipeline;
import org.jspecify.annotations.Nullable;

/**
 * The result of a restart.
 *
 * @param state {@code restarted} or {@code pending}
 * @param position feed position from which the pipeline continues; null if it is pending
 * @param detail what it waits for; null if it is restarted
 */
record RestartView(
        String state,

        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Long position,

        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String detail) {

    static RestartView restarted(long position) {
        return new RestartView("restarted", position, null);
    }

    /** Returns the result of a restart that has not begun in time. */
    static RestartView pending(Pipeline pipeline) {
        String error = pipeline.error();
        return new RestartView(
                "pending",
                null,
                error == null
                        ? "The pipeline restarts when its batch is processed and the store answers."
                        : "The pipeline restarts when its feed can be read: " + error);
    }
}
