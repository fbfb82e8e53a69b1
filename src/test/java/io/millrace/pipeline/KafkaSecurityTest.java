package io.millrace.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.config.MillraceAutoConfiguration;
import io.millrace.kafka.KafkaBroker;
import io.millrace.kafka.KafkaBroker.Ports;
import io.millrace.kafka.KafkaTopics;
import io.millrace.kafka.KafkaTopics.Transactions;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.integration.autoconfigure.IntegrationAutoConfiguration;
import org.springframework.boot.kafka.autoconfigure.KafkaAutoConfiguration;
import org.springframework.boot.kafka.autoconfigure.KafkaConnectionDetails;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ContextConsumer;
import org.springframework.context.ApplicationContext;

/**
 * Pipelines that copy a topic to another one, connected by Spring Boot's own means to a broker that requires TLS with
 * certificates of both sides, or a password.
 */
class KafkaSecurityTest {

    private static final String PASSWORD = "changeit";
    private static final int COUNT = 2_000;
    private static final List<byte[]> TRADES =
            TradeFile.random(COUNT, 46).stream().map(TradeFile.Trade::bytes).toList();

    private static final Ports PORTS = Ports.free();
    private static final String TLS = "localhost:" + Ports.free().clients();
    private static final String SASL = "localhost:" + Ports.free().clients();

    @TempDir
    static Path shared;

    private static KafkaBroker broker;
    private static KafkaTopics topics;

    @TempDir
    Path folder;

    private String topic = "";

    @BeforeAll
    static void startBroker() throws Exception {
        keys("broker");
        keys("client");
        keys("stranger");
        trust("broker", "client");
        trust("client", "broker");
        trust("stranger", "stranger");
        broker = new KafkaBroker(
                shared.resolve("data"),
                0,
                List.of(PORTS),
                Map.ofEntries(
                        Map.entry(
                                "listeners",
                                "PLAINTEXT://127.0.0.1:" + PORTS.clients() + ",TLS://" + TLS + ",PASSWORD://" + SASL
                                        + ",CONTROLLER://127.0.0.1:" + PORTS.controller()),
                        Map.entry(
                                "listener.security.protocol.map",
                                "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT,TLS:SSL,PASSWORD:SASL_PLAINTEXT"),
                        Map.entry("listener.name.tls.ssl.client.auth", "required"),
                        Map.entry("listener.name.tls.ssl.keystore.location", file("broker.p12")),
                        Map.entry("listener.name.tls.ssl.keystore.password", PASSWORD),
                        Map.entry("listener.name.tls.ssl.truststore.location", file("broker-trust.p12")),
                        Map.entry("listener.name.tls.ssl.truststore.password", PASSWORD),
                        Map.entry("sasl.enabled.mechanisms", "PLAIN"),
                        Map.entry(
                                "listener.name.password.plain.sasl.jaas.config",
                                "org.apache.kafka.common.security.plain.PlainLoginModule required"
                                        + " user_shop=\"hush\";")));
        broker.start();
        topics = new KafkaTopics(broker.bootstrapServers());
    }

    @AfterAll
    static void stopBroker() {
        topics.close();
        broker.close();
    }

    @BeforeEach
    void createTopics(TestInfo test) {
        topic = test.getTestMethod().orElseThrow().getName();
        topics.create(topic, 1);
        topics.create(topic + "-copy", 1);
        topics.send(topic, 0, new ArrayList<>(TRADES));
    }

    private static String file(String name) {
        return shared.resolve(name).toString();
    }

    private static void keys(String name) throws Exception {
        keytool(
                name + ".p12",
                "-genkeypair -alias key -keyalg EC -dname CN=" + name + " -ext san=dns:localhost,ip:127.0.0.1");
    }

    /** Lets one trust the certificate of another. */
    private static void trust(String name, String other) throws Exception {
        keytool(other + ".p12", "-exportcert -alias key -file " + file(other + ".crt"));
        keytool(name + "-trust.p12", "-importcert -noprompt -alias other -file " + file(other + ".crt"));
    }

    private static void keytool(String store, String arguments) throws Exception {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
        command.addAll(Arrays.asList(arguments.split(" ")));
        command.addAll(List.of("-storetype", "PKCS12", "-storepass", PASSWORD, "-keystore", file(store)));
        Process keytool = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(keytool.waitFor()).as(output).isZero();
    }

    private static String[] bundle(String name, String keys, String trusted) {
        String path = "spring.ssl.bundle.jks." + name;
        return new String[] {
            path + ".keystore.location=file:" + file(keys),
            path + ".keystore.password=" + PASSWORD,
            path + ".keystore.type=PKCS12",
            path + ".truststore.location=file:" + file(trusted),
            path + ".truststore.password=" + PASSWORD,
            path + ".truststore.type=PKCS12"
        };
    }

    /** Runs the pipeline with the properties of an application that uses Kafka. */
    private void run(UnaryOperator<ApplicationContextRunner> settings, ContextConsumer<ApplicationContext> test) {
        settings.apply(new ApplicationContextRunner()
                        .withConfiguration(AutoConfigurations.of(
                                IntegrationAutoConfiguration.class,
                                SslAutoConfiguration.class,
                                KafkaAutoConfiguration.class,
                                MillraceAutoConfiguration.class))
                        .withPropertyValues(
                                "millrace.data=" + folder.resolve("data"),
                                "millrace.flush=20ms",
                                "millrace.pipelines.trades.partitions=1",
                                "millrace.pipelines.trades.schema=trade",
                                "millrace.pipelines.trades.feed.kafka.topics=" + topic,
                                "millrace.pipelines.trades.steps[0].to=output:copy",
                                "millrace.outputs.copy.kafka.topic=" + topic + "-copy",
                                "millrace.outputs.copy.kafka.format=record"))
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    test.accept(context);
                });
    }

    private void awaitCopies() {
        await().until(() -> topics.read(topic + "-copy").size() >= COUNT);
        assertThat(topics.read(topic + "-copy"))
                .extracting(message -> message.value())
                .containsExactlyElementsOf(TRADES);
    }

    private static UnaryOperator<ApplicationContextRunner> both(String... properties) {
        return runner -> runner.withPropertyValues(Arrays.stream(properties)
                .flatMap(property -> List.of(
                        "millrace.pipelines.trades.feed.kafka." + property, "millrace.outputs.copy.kafka." + property)
                        .stream())
                .toArray(String[]::new));
    }

    /** The output connects without TLS and without a password: the pipeline opens it first. */
    private static UnaryOperator<ApplicationContextRunner> feed(String... properties) {
        return runner -> runner.withPropertyValues(
                        "millrace.outputs.copy.kafka.bootstrap-servers=" + broker.bootstrapServers())
                .withPropertyValues(Arrays.stream(properties)
                        .map("millrace.pipelines.trades.feed.kafka."::concat)
                        .toArray(String[]::new));
    }

    @Test
    void shouldConnectWithAnSslBundle() {
        run(
                runner -> both("bootstrap-servers=" + TLS, "ssl-bundle=kafka")
                        .apply(runner)
                        .withPropertyValues(bundle("kafka", "client.p12", "client-trust.p12")),
                context -> awaitCopies());
    }

    @Test
    void shouldConnectWithAnSslBundleByKafkasConsumer() {
        run(
                runner -> both("bootstrap-servers=" + TLS, "ssl-bundle=kafka")
                        .apply(runner)
                        .withPropertyValues("millrace.pipelines.trades.feed.kafka.direct=false")
                        .withPropertyValues(bundle("kafka", "client.p12", "client-trust.p12")),
                context -> awaitCopies());
    }

    @Test
    void shouldConnectWithTheSslBundleOfTheApplication() {
        run(
                runner -> runner.withPropertyValues(
                                "spring.kafka.bootstrap-servers=" + TLS,
                                "spring.kafka.security.protocol=SSL",
                                "spring.kafka.ssl.bundle=kafka")
                        .withPropertyValues(bundle("kafka", "client.p12", "client-trust.p12")),
                context -> awaitCopies());
    }

    @Test
    void shouldNotTrustABrokerOfAnotherAuthority() {
        run(
                runner -> feed("bootstrap-servers=" + TLS, "ssl-bundle=kafka")
                        .apply(runner)
                        .withPropertyValues(bundle("kafka", "client.p12", "stranger-trust.p12")),
                context -> assertFeedFails(context, "SSL handshake failed", "unable to find valid certification path"));
        assertThat(topics.read(topic + "-copy")).isEmpty();
    }

    @Test
    void shouldNotBeTrustedWithAnotherCertificate() {
        run(
                runner -> feed("bootstrap-servers=" + TLS, "ssl-bundle=kafka")
                        .apply(runner)
                        .withPropertyValues(bundle("kafka", "stranger.p12", "client-trust.p12")),
                context -> assertFeedFails(context, "Kafka at " + TLS + " failed"));
        assertThat(topics.read(topic + "-copy")).isEmpty();
    }

    private static void assertFeedFails(ApplicationContext context, String... messages) {
        Pipeline pipeline = context.getBean(Pipelines.class).named("trades").orElseThrow();
        await().until(() -> pipeline.partitions().getFirst().parts().feed().failure() != null);
        assertThat(pipeline.partitions().getFirst().parts().feed().failure()).contains(messages);
    }

    /** Messages of an aborted transaction are not read: Spring Boot's isolation level does not apply. */
    @Test
    void shouldConnectWithThePasswordOfTheApplication() {
        try (Transactions transactions = topics.transactions("aborted")) {
            transactions.begin(topic, 0, new ArrayList<>(TRADES.subList(0, 5)));
            transactions.abort();
        }
        topics.send(topic, 0, List.of(TRADES.getFirst()));
        run(runner -> runner.withPropertyValues(password("hush")), context -> {
            await().until(() -> topics.read(topic + "-copy").size() > COUNT);
            assertThat(topics.read(topic + "-copy")).hasSize(COUNT + 1);
        });
    }

    @Test
    void shouldNotConnectWithAnotherPassword() {
        run(
                runner -> feed().apply(runner).withPropertyValues(password("guess")),
                context -> assertFeedFails(context, "Authentication failed: Invalid username or password"));
    }

    private static String[] password(String password) {
        return new String[] {
            "spring.kafka.bootstrap-servers=" + SASL,
            "spring.kafka.security.protocol=SASL_PLAINTEXT",
            "spring.kafka.properties.sasl.mechanism=PLAIN",
            "spring.kafka.properties.sasl.jaas.config=org.apache.kafka.common.security.plain.PlainLoginModule required"
                    + " username=\"shop\" password=\"" + password + "\";"
        };
    }

    /** As Testcontainers' containers of Kafka do, which are annotated with {@code @ServiceConnection}. */
    @Test
    void shouldPreferTheConnectionThatABeanDescribes() {
        run(
                runner -> runner.withPropertyValues("spring.kafka.bootstrap-servers=localhost:1")
                        .withBean(KafkaConnectionDetails.class, () -> () -> List.of(broker.bootstrapServers())),
                context -> awaitCopies());
    }
}
