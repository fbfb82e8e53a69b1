package io.millrace.pipeline.shadow;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.List;

/**
 * The result of a backtest, as the HTTP API and commands show it in JSON.
 *
 * @param comparison results of each record; none is skipped
 * @param measures rows and alerts of each measure
 */
public record BacktestReport(
        @JsonUnwrapped @JsonIgnoreProperties("skipped") ShadowReport comparison, List<MeasureReport> measures) {}
