package io.millrace.observability;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PromQlTest {

    @Test
    void shouldFindTheMetricsAndNothingElse() {
        assertThat(PromQl.metrics("""
                sum by (pipeline) (rate(some_total{pipeline=~"other_total|.*", job="x"}[5m]))
                  / on (instance, pipeline) group_left (job) job:recorded > 1e9
                unless min_over_time(third[2m:10s]) == bool 0""")).containsExactly("job:recorded", "some_total", "third");
    }
}
