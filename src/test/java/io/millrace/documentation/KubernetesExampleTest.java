package io.millrace.documentation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Container;
import io.kubernetes.client.openapi.models.V1ContainerPort;
import io.kubernetes.client.openapi.models.V1EnvVar;
import io.kubernetes.client.openapi.models.V1HTTPGetAction;
import io.kubernetes.client.openapi.models.V1PodDisruptionBudget;
import io.kubernetes.client.openapi.models.V1PodTemplateSpec;
import io.kubernetes.client.openapi.models.V1Probe;
import io.kubernetes.client.openapi.models.V1Service;
import io.kubernetes.client.openapi.models.V1ServicePort;
import io.kubernetes.client.openapi.models.V1StatefulSet;
import io.kubernetes.client.openapi.models.V1Volume;
import io.kubernetes.client.openapi.models.V1VolumeMount;
import io.millrace.application.MillraceApplication;
import io.millrace.cli.HealthCommand;
import io.millrace.cli.check.CheckCommand;
import io.millrace.config.properties.MillraceProperties;
import io.millrace.store.geode.cache.ClusterOptions;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import picocli.CommandLine;

/** {@code examples/kubernetes} is right by Kubernetes' schema, by itself, and by what the service does. */
class KubernetesExampleTest {

    private static final Path FOLDER = Path.of("examples/kubernetes");

    @TempDir
    Path folder;

    @SuppressWarnings("NullAway.Init") // set before all tests
    private static KubernetesManifests manifests;

    @BeforeAll
    static void read() throws IOException {
        manifests = KubernetesManifests.in(FOLDER);
    }

    @ParameterizedTest
    @CsvSource({
        "readinessProbe:,         readynessProbe:,          readynessProbe",
        "'port: http',            'prot: http',             prot",
        "podManagementPolicy:,    podMangementPolicy:,      podMangementPolicy",
        "'args: [server, config/millrace.yml]', 'args: server', args",
    })
    void shouldBeHeldAgainstTheSchema(String right, String wrong, String named) throws IOException {
        String yaml = Files.readString(FOLDER.resolve("server.yml"));
        assertThat(yaml).contains(right);
        assertThatThrownBy(() -> KubernetesManifests.parse(yaml.replace(right, wrong)))
                .isInstanceOf(RuntimeException.class)
                .hasMessageContaining(named);
    }

    @Test
    void shouldHaveAConfigurationWithoutMistakes() throws IOException {
        assertThat(new CommandLine(new CheckCommand()).execute(configuration().toString()))
                .isZero();
    }

    @Test
    void shouldSelectWhatItMeans() {
        assertThat(manifests.all(V1StatefulSet.class)).hasSize(3);
        for (V1StatefulSet set : manifests.all(V1StatefulSet.class)) {
            Map<String, String> labels = template(set).getMetadata().getLabels();
            assertThat(set.getSpec().getSelector().getMatchLabels()).isEqualTo(labels);
            V1Service service = manifests.all(V1Service.class).stream()
                    .filter(each -> each.getSpec().getSelector().equals(labels))
                    .findFirst()
                    .orElseThrow();
            assertThat(set.getSpec().getServiceName())
                    .isEqualTo(service.getMetadata().getName());
            assertThat(service.getSpec().getPorts().stream().map(V1ServicePort::getPort))
                    .containsExactlyInAnyOrderElementsOf(container(set).getPorts().stream()
                            .map(V1ContainerPort::getContainerPort)
                            .toList());
            assertThat(container(set).getVolumeMounts().stream().map(V1VolumeMount::getName))
                    .isSubsetOf(Stream.concat(
                                    template(set).getSpec().getVolumes().stream()
                                            .map(V1Volume::getName),
                                    Stream.of("data"))
                            .toList());
        }
        assertThat(manifests.all(V1PodDisruptionBudget.class))
                .singleElement()
                .extracting(budget -> budget.getSpec().getSelector())
                .isEqualTo(set("server").getSpec().getSelector());
    }

    @Test
    void shouldWaitNoLongerThanKubernetesDoes() {
        Matcher rounds = Pattern.compile("--wait=(\\d+)").matcher(farewell("server"));
        assertThat(rounds.find()).isTrue();
        assertThat(template(set("server")).getSpec().getTerminationGracePeriodSeconds())
                // A minute is for handing over.
                .isGreaterThanOrEqualTo(Integer.parseInt(rounds.group(1)) + 60L);
    }

    @Test
    void shouldSayOfMembersWhatTheyUnderstand() throws Exception {
        try (ConfigurableApplicationContext server = start("server")) {
            ClusterOptions options = server.getBean(ClusterOptions.class);
            assertThat(options.name()).isEqualTo("server-0");
            assertThat(options.publicAddress()).isEqualTo("server-0.server");
            assertThat(port(set("server"), "clients")).isEqualTo(options.port());
            assertThat(options.locators())
                    .containsExactly(new ClusterOptions.Address("locator-0.locator", port(set("locator"), "locator")));
            assertThat(server.getBean(MillraceProperties.class).data())
                    .isEqualTo(Path.of("/millrace").relativize(Path.of(mount("server", "data"))));

            int port = Integer.parseInt(server.getEnvironment().getRequiredProperty("local.server.port"));
            for (V1StatefulSet set : manifests.all(V1StatefulSet.class)) {
                assertThat(port(set, "http")).isEqualTo(8080);
                V1Container container = container(set);
                assertThat(status(port, path(container.getStartupProbe()))).isEqualTo(200);
                assertThat(status(port, path(container.getLivenessProbe()))).isEqualTo(200);
                // There is no cluster here.
                assertThat(status(port, path(container.getReadinessProbe()))).isEqualTo(503);
            }
            // As in the pod, but for the port and the wait.
            assertThat(new CommandLine(new HealthCommand()).execute("copies", "--url", "http://127.0.0.1:" + port))
                    .isEqualTo(1);
            assertThat(status(port, "/actuator/health/copies")).isEqualTo(503);
            assertThat(farewell("server")).contains(" lib/millrace.jar health copies ");
        }
    }

    /** Runs what a pod of a set would, as far as that goes without the cluster. */
    private ConfigurableApplicationContext start(String name) throws IOException {
        List<String> arguments = new ArrayList<>(container(set(name)).getArgs());
        assertThat(arguments).containsExactly(name, "config/millrace.yml");
        assertThat(mount(name, "configuration") + "/millrace.yml").isEqualTo("/millrace/" + arguments.get(1));
        Map<String, String> environment = new HashMap<>();
        for (V1EnvVar variable : container(set(name)).getEnv()) {
            String value = variable.getValue() == null ? name + "-0" : variable.getValue();
            for (Map.Entry<String, String> known : environment.entrySet()) {
                value = value.replace("$(" + known.getKey() + ")", known.getValue());
            }
            environment.put(variable.getName(), value);
        }
        return new SpringApplicationBuilder(MillraceApplication.class)
                .initializers(context -> context.getEnvironment()
                        .getPropertySources()
                        .addFirst(new SystemEnvironmentPropertySource(
                                "pod-systemEnvironment", new HashMap<>(environment))))
                .run(
                        "--millrace.role=" + name,
                        "--server.port=0",
                        "--spring.config.additional-location=" + configuration().toUri());
    }

    private Path configuration() throws IOException {
        V1ConfigMap map = manifests.all(V1ConfigMap.class).getFirst();
        for (String user : List.of("admin", "prometheus")) {
            Files.writeString(folder.resolve(user), "a password of some length\n");
        }
        String passwords = mount("server", "passwords");
        return Files.writeString(
                folder.resolve("millrace.yml"),
                Objects.requireNonNull(map.getData().get("millrace.yml")).replace(passwords, folder.toString()));
    }

    private static V1StatefulSet set(String name) {
        return manifests.all(V1StatefulSet.class).stream()
                .filter(set -> set.getMetadata().getName().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static V1PodTemplateSpec template(V1StatefulSet set) {
        return set.getSpec().getTemplate();
    }

    private static V1Container container(V1StatefulSet set) {
        return template(set).getSpec().getContainers().getFirst();
    }

    private static int port(V1StatefulSet set, String name) {
        return container(set).getPorts().stream()
                .filter(port -> name.equals(port.getName()))
                .findFirst()
                .orElseThrow()
                .getContainerPort();
    }

    private static String mount(String set, String volume) {
        return container(set(set)).getVolumeMounts().stream()
                .filter(mount -> mount.getName().equals(volume))
                .findFirst()
                .orElseThrow()
                .getMountPath();
    }

    /** What is run before a pod of a set ends. */
    private static String farewell(String set) {
        return String.join(
                " ", container(set(set)).getLifecycle().getPreStop().getExec().getCommand());
    }

    private static String path(V1Probe probe) {
        V1HTTPGetAction get = probe.getHttpGet();
        assertThat(get.getPort().getStrValue()).isEqualTo("http");
        return get.getPath();
    }

    private static int status(int port, String path) throws Exception {
        try (HttpClient http = HttpClient.newHttpClient()) {
            return http.send(
                            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                                    .build(),
                            BodyHandlers.discarding())
                    .statusCode();
        }
    }
}
