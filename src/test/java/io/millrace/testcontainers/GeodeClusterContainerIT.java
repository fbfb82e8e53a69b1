package io.millrace.testcontainers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.MillraceImage;
import io.millrace.TestTimeout;
import io.millrace.application.MillraceApplication;
import io.millrace.pipeline.Pipelines;
import io.millrace.store.Store;
import io.millrace.store.query.Query;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.boot.testcontainers.service.connection.ServiceConnection;
import org.springframework.context.annotation.Bean;
import org.springframework.test.annotation.DirtiesContext;
import org.testcontainers.junit.jupiter.Testcontainers;
import org.testcontainers.utility.MountableFile;

/** As a user tests pipelines against a cluster in containers. Skipped where there is no Docker engine. */
@Testcontainers(disabledWithoutDocker = true)
@SpringBootTest(
        classes = {
            MillraceApplication.class,
            GeodeClusterContainerIT.TestCluster.class,
            GeodeClusterContainerIT.SlowMachine.class
        },
        properties = {"server.port=0", "spring.config.additional-location=classpath:io/millrace/cluster.yml"})
@DirtiesContext
class GeodeClusterContainerIT {

    private static final String IMAGE = MillraceImage.name();
    private static final int TRADES = 50_000;

    @TestConfiguration(proxyBeanMethods = false)
    static class TestCluster {

        @Bean
        @ServiceConnection
        GeodeClusterContainer cluster() {
            return new GeodeClusterContainer(IMAGE)
                    .withConfiguration(MountableFile.forClasspathResource("io/millrace/cluster.yml"));
        }
    }

    /** A busy machine starts members slowly. */
    @TestConfiguration(proxyBeanMethods = false)
    static class SlowMachine {

        @Bean
        static BeanPostProcessor startupTimeout() {
            return new BeanPostProcessor() {
                @Override
                public Object postProcessBeforeInitialization(Object bean, String name) {
                    return bean instanceof GeodeClusterContainer cluster
                            ? cluster.withStartupTimeout(TestTimeout.MAX)
                            : bean;
                }
            };
        }
    }

    @Test
    void shouldKeepWhatPipelinesOfTheTestSend(
            @Autowired Pipelines pipelines, @Autowired Store store, @Autowired GeodeClusterContainer cluster)
            throws Exception {
        await().until(pipelines::ended);

        assertThat(store.info("trades").records()).isEqualTo(TRADES);
        assertThat(store.get("latest", "12345")).isNotNull();
        Query last = new Query(null, List.of("id"), List.of("id desc"), 1);
        assertThat(store.query("trades", last).records()).containsExactly(Map.of("id", (long) TRADES));
        assertThat(cluster.servers()).hasSize(2);
        for (MillraceContainer<?> server : cluster.servers()) {
            assertThat(get(server.url("/api/regions/latest"))).contains("\"records\":" + TRADES + ",");
        }
    }

    private static String get(String url) throws Exception {
        try (HttpClient http = HttpClient.newHttpClient()) {
            return http.send(HttpRequest.newBuilder(URI.create(url)).build(), BodyHandlers.ofString())
                    .body();
        }
    }
}
