package io.millrace.documentation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Container;
import io.kubernetes.client.openapi.models.V1ContainerPort;
import io.kubernetes.client.openapi.models.V1EnvVar;
import io.kubernetes.client.openapi.models.V1HTTPGetAction;
import io.kubernetes.client.openapi.models.V1LabelSelector;
import io.kubernetes.client.openapi.models.V1NetworkPolicy;
import io.kubernetes.client.openapi.models.V1NetworkPolicyIngressRule;
import io.kubernetes.client.openapi.models.V1NetworkPolicyPeer;
import io.kubernetes.client.openapi.models.V1PodDisruptionBudget;
import io.kubernetes.client.openapi.models.V1PodSecurityContext;
import io.kubernetes.client.openapi.models.V1PodTemplateSpec;
import io.kubernetes.client.openapi.models.V1Probe;
import io.kubernetes.client.openapi.models.V1SecurityContext;
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
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import picocli.CommandLine;

/** {@code examples/kubernetes} is right by Kubernetes' schema, by itself, and by what the service does. */
class KubernetesExampleTest {

    private static final Path FOLDER = Path.of("examples/kubernetes");

    private static final Path SECURED = Path.of("examples/secured");

    @TempDir
    static Path secrets;

    @TempDir
    Path folder;

    @SuppressWarnings("NullAway.Init") // set before all tests
    private static KubernetesManifests manifests;

    @BeforeAll
    static void read() throws Exception {
        Path script = secrets.resolve("create-secrets");
        Files.copy(SECURED.resolve("create-secrets"), script, StandardCopyOption.COPY_ATTRIBUTES);
        assertThat(new ProcessBuilder(script.toString()).inheritIO().start().waitFor())
                .isZero();
        manifests = KubernetesManifests.in(FOLDER);
    }

    @ParameterizedTest
    @CsvSource({
        "readinessProbe:,         readynessProbe:,          readynessProbe",
        "'port: http',            'prot: http',             prot",
        "podManagementPolicy:,    podMangementPolicy:,      podMangementPolicy",
        "'args: [server, config/cluster.yml, config/member.yml]', 'args: server', args",
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
        for (V1StatefulSet set : manifests.all(V1StatefulSet.class)) {
            assertThat(new CommandLine(new CheckCommand())
                            .execute(configuration(set.getMetadata().getName()).stream()
                                    .map(Path::toString)
                                    .toArray(String[]::new)))
                    .isZero();
        }
    }

    /** With which SecuredClusterIT starts a cluster. */
    @Test
    void shouldHaveTheConfigurationOfTheComposeExample() throws IOException {
        Map<String, String> files = manifests.all(V1ConfigMap.class).getFirst().getData();
        assertThat(files).containsOnlyKeys("cluster.yml", "member.yml", "ingest.yml");
        for (Map.Entry<String, String> file : files.entrySet()) {
            assertThat(file.getValue().lines())
                    .as(file.getKey())
                    .containsExactlyElementsOf(Files.readAllLines(SECURED.resolve(file.getKey())).stream()
                            .filter(line -> !line.startsWith("# yaml-language-server"))
                            .toList());
        }
    }

    @Test
    void shouldRunWithoutPrivilegesAndWithSecretsOfItsRole() {
        for (V1StatefulSet set : manifests.all(V1StatefulSet.class)) {
            V1PodSecurityContext pod = template(set).getSpec().getSecurityContext();
            assertThat(pod.getRunAsNonRoot()).isTrue();
            assertThat(pod.getRunAsUser()).isEqualTo(65_532);
            V1SecurityContext context = container(set).getSecurityContext();
            assertThat(context.getAllowPrivilegeEscalation()).isFalse();
            assertThat(context.getReadOnlyRootFilesystem()).isTrue();
            assertThat(context.getCapabilities().getDrop()).containsExactly("ALL");
            assertThat(template(set).getSpec().getVolumes().stream()
                            .filter(volume -> volume.getSecret() != null)
                            .map(volume -> volume.getSecret().getSecretName()))
                    .containsExactly("millrace-" + set.getMetadata().getName());
        }
    }

    @Test
    void shouldOpenThePortsOfMembersToTheClusterOnly() {
        List<V1NetworkPolicy> policies = manifests.all(V1NetworkPolicy.class);
        assertThat(policies)
                .allSatisfy(
                        policy -> assertThat(policy.getSpec().getPodSelector().getMatchLabels())
                                .containsExactly(Map.entry("app.kubernetes.io/part-of", "millrace")));
        // Pods that no policy selects are open.
        assertThat(policies)
                .anyMatch(policy ->
                        policy.getSpec().getPodSelector().getMatchExpressions().isEmpty());
        Map<String, List<String>> open = new TreeMap<>();
        for (V1NetworkPolicy policy : policies) {
            for (V1NetworkPolicyIngressRule rule : policy.getSpec().getIngress()) {
                open.put(
                        rule.getFrom().isEmpty() ? "everyone" : peer(rule.getFrom()),
                        rule.getPorts().stream()
                                .map(port -> port.getProtocol() + " " + port.getPort()
                                        + (port.getEndPort() == null ? "" : "-" + port.getEndPort()))
                                .toList());
            }
        }
        assertThat(open)
                .isEqualTo(Map.of(
                        "everyone", List.of("TCP http", "TCP trades"),
                        "ingest", List.of("TCP 10334", "TCP 40404"),
                        "locator server", List.of("TCP 10334", "TCP 41000-61000", "UDP 41000-61000")));
    }

    /** The components that a rule allows. */
    private static String peer(List<V1NetworkPolicyPeer> peers) {
        assertThat(peers).hasSize(1);
        V1LabelSelector pods = peers.getFirst().getPodSelector();
        assertThat(pods.getMatchLabels()).containsEntry("app.kubernetes.io/part-of", "millrace");
        return pods.getMatchExpressions().isEmpty()
                ? Objects.requireNonNull(pods.getMatchLabels().get("app.kubernetes.io/component"))
                : String.join(" ", pods.getMatchExpressions().getFirst().getValues());
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
                assertThat(port(set, "http")).isEqualTo(8443);
                V1Container container = container(set);
                assertThat(status(server, path(container.getStartupProbe()))).isEqualTo(200);
                assertThat(status(server, path(container.getLivenessProbe()))).isEqualTo(200);
                // There is no cluster here.
                assertThat(status(server, path(container.getReadinessProbe()))).isEqualTo(503);
            }
            // As in the pod, but for the port and the wait.
            assertThat(new CommandLine(new HealthCommand()).execute("copies", "--url", "https://localhost:" + port))
                    .isEqualTo(1);
            assertThat(status(server, "/actuator/health/copies")).isEqualTo(503);
            assertThat(farewell("server")).contains(" lib/millrace.jar health copies ");
        }
    }

    /** Runs what a pod of a set would, as far as that goes without the cluster. */
    private ConfigurableApplicationContext start(String name) throws IOException {
        assertThat(container(set(name)).getArgs()).startsWith(name);
        assertThat(mount(name, "configuration")).isEqualTo("/millrace/config");
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
                        "--spring.config.additional-location="
                                + configuration(name).stream()
                                        .map(file -> file.toUri().toString())
                                        .collect(Collectors.joining(",")));
    }

    /** Returns the files that a pod of a set reads, with keys and passwords of a trial. */
    private List<Path> configuration(String name) throws IOException {
        V1ConfigMap map = manifests.all(V1ConfigMap.class).getFirst();
        List<Path> files = new ArrayList<>();
        for (String argument : container(set(name)).getArgs()) {
            if (argument.startsWith("config/")) {
                String file = argument.substring("config/".length());
                files.add(Files.writeString(
                        folder.resolve(file),
                        Objects.requireNonNull(map.getData().get(file))
                                .replace(
                                        mount(name, "secrets"),
                                        secrets.resolve("secrets").resolve(name).toString())));
            }
        }
        return files;
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

    private static int status(ConfigurableApplicationContext server, String path) throws Exception {
        SSLContext tls = SSLContext.getInstance("TLS");
        tls.init(
                null,
                server.getBean(SslBundles.class).getBundle("web").getManagers().getTrustManagers(),
                null);
        try (HttpClient http = HttpClient.newBuilder().sslContext(tls).build()) {
            String port = server.getEnvironment().getRequiredProperty("local.server.port");
            return http.send(
                            HttpRequest.newBuilder(URI.create("https://localhost:" + port + path))
                                    .build(),
                            BodyHandlers.discarding())
                    .statusCode();
        }
    }
}
