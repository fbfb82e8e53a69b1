package io.millrace.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.ChildJvm;
import io.millrace.pipeline.PipelineStatus;
import io.millrace.pipeline.Pipelines;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;

/** An application without any library of the web runs pipelines. */
class WithoutWebTest {

    /** Optional dependencies for the web, with their own dependencies, and one that would start containers. */
    private static final Pattern WEB = Pattern.compile(
            "(spring-(boot-)?(starter-)?(web|http|security|reactor-netty|netty|docker-compose)|reactor-netty-http"
                    + "|netty-codec-http).*[.]jar");

    @TempDir
    Path folder;

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {

        private Application() {}

        public static void main(String[] arguments) throws InterruptedException {
            try (ConfigurableApplicationContext context = SpringApplication.run(Application.class, arguments)) {
                Pipelines pipelines = context.getBean(Pipelines.class);
                while (!pipelines.ended()) {
                    Thread.sleep(10);
                }
                System.out.println(
                        "kept=" + PipelineStatus.of(pipelines.all().getFirst()).kept());
            }
        }
    }

    @Test
    void shouldRunPipelines() throws Exception {
        List<String> command = ChildJvm.command(
                Application.class,
                "--millrace.data=" + folder,
                "--management.otlp.metrics.export.enabled=false",
                "--millrace.regions.all.layout=blocks",
                "--millrace.pipelines.trades.schema=trade",
                "--millrace.pipelines.trades.feed.generator.count=5000",
                "--millrace.pipelines.trades.steps[0].to=all");
        command.replaceAll(
                argument -> argument.contains(".jar" + File.pathSeparator) ? withoutWeb(argument) : argument);

        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(process.waitFor()).as(output).isZero();
        assertThat(output).contains("kept=5000");
    }

    private static String withoutWeb(String classPath) {
        String left = Arrays.stream(classPath.split(File.pathSeparator, -1))
                .filter(entry ->
                        !WEB.matcher(Path.of(entry).getFileName().toString()).matches())
                .collect(Collectors.joining(File.pathSeparator));
        assertThat(left).isNotEqualTo(classPath).doesNotContain("spring-web");
        return left;
    }
}
