package io.millrace.test;

import io.millrace.client.MillraceClient;
import io.millrace.pipeline.Pipelines;
import java.io.IOException;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;

/** Configures the beans of a {@link MillraceTest}. */
@TestConfiguration(proxyBeanMethods = false)
class MillraceTestConfiguration {

    @Bean(TestProperties.BEAN)
    static TestProperties millraceTestProperties(ConfigurableBeanFactory beans) throws IOException {
        return new TestProperties(beans);
    }

    @Bean
    static TestOutputs millraceTestOutputs() {
        return new TestOutputs();
    }

    @Bean
    TestPipelines millraceTestPipelines(Pipelines pipelines, MillraceClient client) {
        return new TestPipelines(pipelines, client);
    }
}
