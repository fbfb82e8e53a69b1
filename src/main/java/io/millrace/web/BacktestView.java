package io.millrace.web;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.millrace.pipeline.shadow.BacktestReport;

/**
 * A backtest in JSON.
 *
 * @param pipeline name of the pipeline
 * @param region region whose records were read
 * @param version number of the live version with which the rules were compared
 */
record BacktestView(
        String pipeline,
        String region,
        long version,
        @JsonUnwrapped BacktestReport report) {}
