package io.millrace.web.measure;

import io.millrace.measure.run.RunningMeasure;
import io.millrace.pipeline.Pipeline;
import io.millrace.pipeline.Pipelines;
import io.millrace.schema.NearestName;
import io.millrace.web.request.ApiErrorCode;
import io.millrace.web.request.ApiException;
import java.util.List;
import java.util.stream.Stream;

/**
 * Finds the measures that requests name.
 *
 * @param pipelines that contain the measures
 */
record KnownMeasures(Pipelines pipelines) {

    /** A measure and its pipeline. */
    record Known(Pipeline pipeline, RunningMeasure measure) {

        String name() {
            return measure.plan().name();
        }
    }

    Stream<Known> all() {
        return pipelines.all().stream()
                .flatMap(pipeline -> pipeline.measures().stream().map(measure -> new Known(pipeline, measure)));
    }

    /**
     * Returns the measure with a name.
     *
     * @throws ApiException if there is none
     */
    Known named(String name) {
        return all().filter(known -> known.name().equals(name)).findFirst().orElseThrow(() -> unknown(name));
    }

    private ApiException unknown(String name) {
        List<String> names = all().map(Known::name).toList();
        return new ApiException(
                ApiErrorCode.UNKNOWN_MEASURE, "Unknown measure '" + name + "'" + NearestName.hint(name, names));
    }
}
