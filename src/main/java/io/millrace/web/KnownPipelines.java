package io.millrace.web;

import io.millrace.pipeline.Pipeline;
import io.millrace.pipeline.Pipelines;
import io.millrace.schema.NearestName;
import io.millrace.web.request.ApiErrorCode;
import io.millrace.web.request.ApiException;

/** Finds the pipelines that requests name. */
public final class KnownPipelines {

    private KnownPipelines() {}

    /**
     * Returns the pipeline with a name.
     *
     * @throws ApiException if there is none
     */
    public static Pipeline named(Pipelines pipelines, String name) {
        return pipelines
                .named(name)
                .orElseThrow(() -> new ApiException(
                        ApiErrorCode.UNKNOWN_PIPELINE,
                        "Unknown pipeline '" + name + "'"
                                + NearestName.hint(
                                        name,
                                        pipelines.all().stream()
                                                .map(Pipeline::name)
                                                .toList())));
    }
}
