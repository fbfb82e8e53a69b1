package io.millrace.test;

import io.millrace.client.MillraceClient;
import io.millrace.pipeline.Pipelines;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;

/** Configures the beans of a {@link MillraceTest}. */
@TestConfiguration(proxyBeanMethods = false)
class MillraceTestConfiguration {

    @Bean
    static TestProperties millraceTestProperties() {
        return new TestProperties();
    }

    @Bean
    TestPipelines millraceTestPipelines(Pipelines pipelines, MillraceClient client) {
        return new TestPipelines(pipelines, client);
    }
}
