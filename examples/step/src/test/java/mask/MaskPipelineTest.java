package mask;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.MeterRegistry;
import io.millrace.test.MillraceTest;
import io.millrace.test.PipelineCounts;
import io.millrace.test.TestPipelines;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

/** A pipeline with the step, on records in memory. */
@MillraceTest
class MaskPipelineTest {

    @Autowired
    private TestPipelines pipelines;

    @Autowired
    private MeterRegistry meters;

    @Test
    void shouldMaskAllButTheLastDigits() {
        send("4012 8888 8888 1881", "378282246310005");

        assertThat(pipelines.stored("payments"))
                .extracting(record -> record.get("card"))
                .containsExactlyInAnyOrder("**** **** **** 1881", "***********0005");
    }

    @Test
    void shouldRejectTextsThatAreTooShort() {
        send("1881", "4012888888881881");

        assertThat(pipelines.counts("payments")).isEqualTo(new PipelineCounts(2, 1, 0, 1));
        assertThat(pipelines.rejected("payments"))
                .extracting(record -> record.get("detail"))
                .containsExactly("Invalid card: 4 characters. More than 4 are needed.");
    }

    @Test
    void shouldHaveMeters() {
        send("4012888888881881", "4012888888881881");

        assertThat(meters.get("mask.digits")
                        .tag("pipeline", "payments")
                        .functionCounter()
                        .count())
                .isEqualTo(24);
        assertThat(meters.get("millrace.step.time")
                        .tag("step", "payments.1-mask")
                        .functionTimer()
                        .count())
                .isEqualTo(2);
    }

    private void send(String... cards) {
        var records = pipelines.records("payments");
        for (String card : cards) {
            records.add(Map.of("card", card));
        }
        pipelines.send("payments", records);
    }
}
