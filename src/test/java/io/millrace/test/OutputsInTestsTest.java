package io.millrace.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.pipeline.TradeFile;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

/** The outputs of an application under test: they write nothing. */
@MillraceTest(
        properties = {
            "millrace.pipelines.trades.schema=trade",
            "millrace.pipelines.trades.steps[0].to=output:copies",
        })
class OutputsInTestsTest {

    @SpringBootConfiguration
    @EnableAutoConfiguration
    static class Application {}

    @TempDir
    static Path folder;

    @Autowired
    TestPipelines pipelines;

    @DynamicPropertySource
    static void outputs(DynamicPropertyRegistry registry) {
        registry.add("millrace.outputs.copies.file.folder", () -> folder.resolve("copies"));
    }

    @Test
    void shouldCountRecordsAndWriteNothing() {
        pipelines.send("trades", TradeFile.random(1, 1).getFirst().bytes());

        assertThat(pipelines.counts("trades").kept()).isEqualTo(1);
        assertThat(Files.exists(folder.resolve("copies"))).isFalse();
    }
}
