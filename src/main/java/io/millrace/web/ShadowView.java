package io.millrace.web;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.millrace.pipeline.shadow.RunningShadow;
import io.millrace.pipeline.shadow.ShadowReport;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A shadow in JSON.
 *
 * @param pipeline name of the pipeline
 * @param fingerprint fingerprint of the rules that are compared
 * @param author who started the shadow
 * @param time when it was started
 * @param version number of the live version with which they are compared
 * @param since position of the pipeline when the comparison with this version began
 * @param ended why it has ended; null while it compares
 */
record ShadowView(
        String pipeline,
        String fingerprint,
        String author,
        Instant time,
        long version,
        long since,

        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String ended,

        @JsonUnwrapped ShadowReport report) {

    static ShadowView of(String pipeline, RunningShadow shadow) {
        return new ShadowView(
                pipeline,
                shadow.text().fingerprint(),
                shadow.author(),
                shadow.time(),
                shadow.version(),
                shadow.since(),
                shadow.ended(),
                shadow.report());
    }
}
