package io.millrace.web.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.millrace.application.MillraceApplication;
import io.millrace.cli.HealthCommand;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import javax.security.auth.x500.X500Principal;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import picocli.CommandLine;

/** A service with TLS by an SSL bundle, whose clients may have certificates. */
class TlsTest {

    private static final String PASSWORD = "a password of some length";

    @TempDir
    static Path folder;

    @SuppressWarnings("NullAway.Init") // set before all tests
    private static ConfigurableApplicationContext context;

    @BeforeAll
    static void start() throws Exception {
        create("web", "CN=127.0.0.1");
        create("anna", "CN=anna, OU=plant, O=Example");
        create("nobody", "CN=nobody");
        create("vera", "CN=vera");
        // The same name as that of a trusted certificate, so that clients send it.
        create("forged", "CN=anna, OU=plant, O=Example");
        create("two", "CN=olaf, CN=anna");
        create("expired", "CN=anna", "-startdate", "-10d", "-validity", "5");
        create("authority", "CN=authority", "-ext", "bc:c");
        issue("of-authority", "-ext", "eku=clientAuth");
        issue("of-server", "-ext", "eku=serverAuth");
        issue("past", "-startdate", "-10d", "-validity", "5");
        Path authorities = folder.resolve("authorities.pem");
        Files.writeString(
                authorities,
                certificate("anna")
                        + certificate("nobody")
                        + certificate("vera")
                        + certificate("two")
                        + certificate("expired")
                        + certificate("authority"));
        Files.writeString(folder.resolve("web.crt"), certificate("web"));
        Files.writeString(
                folder.resolve("web.key"),
                pem(
                        "PRIVATE KEY",
                        keys("web").getKey("key", PASSWORD.toCharArray()).getEncoded()));
        Path secret = Files.writeString(folder.resolve("secret"), PASSWORD);
        context = new SpringApplicationBuilder(MillraceApplication.class)
                .run(
                        "--server.port=0",
                        "--server.address=0.0.0.0",
                        "--server.ssl.bundle=web",
                        "--server.ssl.client-auth=want",
                        "--spring.ssl.bundle.pem.web.keystore.certificate=" + folder.resolve("web.crt"),
                        "--spring.ssl.bundle.pem.web.keystore.private-key=" + folder.resolve("web.key"),
                        "--spring.ssl.bundle.pem.web.truststore.certificate=" + authorities,
                        "--millrace.data=" + folder.resolve("data"),
                        "--millrace.security.users.anna.certificate=true",
                        "--millrace.security.users.anna.role=operator",
                        "--millrace.security.users.vera.password-file=" + secret,
                        "--millrace.security.users.vera.role=viewer");
    }

    @AfterAll
    static void end() {
        context.close();
    }

    private static void create(String name, String subject, String... options) throws Exception {
        List<String> all =
                new ArrayList<>(List.of("-genkeypair", "-keyalg", "EC", "-dname", subject, "-ext", "san=ip:127.0.0.1"));
        all.addAll(List.of(options));
        keytool(name, all);
    }

    /** Creates a certificate of the authority for anna. */
    private static void issue(String name, String... options) throws Exception {
        create(name, "CN=anna, OU=" + name);
        String request = folder.resolve(name + ".csr").toString();
        String issued = folder.resolve(name + ".pem").toString();
        keytool(name, List.of("-certreq", "-file", request));
        List<String> all = new ArrayList<>(List.of("-gencert", "-rfc", "-infile", request, "-outfile", issued));
        all.addAll(List.of(options));
        keytool("authority", all);
        String authority = Files.writeString(folder.resolve("authority.pem"), certificate("authority"))
                .toString();
        keytool(name, List.of("-importcert", "-noprompt", "-file", authority), "authority");
        keytool(name, List.of("-importcert", "-noprompt", "-file", issued));
    }

    private static void keytool(String name, List<String> arguments) throws Exception {
        keytool(name, arguments, "key");
    }

    private static void keytool(String name, List<String> arguments, String alias) throws Exception {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
        command.addAll(arguments);
        command.addAll(List.of("-alias", alias, "-storetype", "PKCS12", "-storepass", PASSWORD));
        command.addAll(List.of("-keystore", folder.resolve(name + ".p12").toString()));
        Process keytool = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(keytool.waitFor()).as(output).isZero();
    }

    private static KeyStore keys(String name) throws Exception {
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(folder.resolve(name + ".p12"))) {
            keys.load(in, PASSWORD.toCharArray());
        }
        return keys;
    }

    private static String certificate(String name) throws Exception {
        return pem("CERTIFICATE", keys(name).getCertificate("key").getEncoded());
    }

    private static String pem(String type, byte[] content) {
        return "-----BEGIN " + type + "-----\n" + Base64.getMimeEncoder().encodeToString(content) + "\n-----END " + type
                + "-----\n";
    }

    private static HttpClient client(@Nullable String certificate) throws Exception {
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry("web", keys("web").getCertificate("key"));
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        KeyManager[] own = {};
        if (certificate != null) {
            KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            factory.init(keys(certificate), PASSWORD.toCharArray());
            own = factory.getKeyManagers();
        }
        SSLContext tls = SSLContext.getInstance("TLS");
        tls.init(own, trust.getTrustManagers(), null);
        return HttpClient.newBuilder().sslContext(tls).build();
    }

    private static HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(
                URI.create("https://127.0.0.1:" + context.getEnvironment().getProperty("local.server.port") + path));
    }

    private static HttpResponse<String> send(@Nullable String certificate, HttpRequest.Builder request)
            throws Exception {
        try (HttpClient client = client(certificate)) {
            return client.send(request.build(), BodyHandlers.ofString());
        }
    }

    @Test
    void shouldSignInByHttpsWithASecureCookie() throws Exception {
        HttpResponse<String> signedIn = send(
                null,
                request("/sign-in.html")
                        .header("Content-Type", "application/x-www-form-urlencoded")
                        .POST(BodyPublishers.ofString("username=vera&password=" + PASSWORD.replace(' ', '+'))));

        String cookie = signedIn.headers().firstValue("Set-Cookie").orElseThrow();
        assertThat(cookie).contains("; Secure").contains("SameSite=Strict");
        assertThat(signedIn.headers().firstValue("Strict-Transport-Security")).contains("max-age=31536000");
        assertThat(send(null, request("/api/user").header("Cookie", cookie.substring(0, cookie.indexOf(';'))))
                        .body())
                .contains("vera");
    }

    @Test
    void shouldAuthenticateUsersByTheirCertificate() throws Exception {
        assertThat(send("anna", request("/api/user")).body()).contains("\"anna\"", "\"operator\"");
        HttpRequest.Builder change = request("/api/tables/none/reload").POST(BodyPublishers.noBody());
        assertThat(send("anna", change).statusCode()).isEqualTo(404);
        assertThat(send("anna", change.header("Origin", "https://elsewhere.example"))
                        .statusCode())
                .as("a page of another origin, for which the browser sends the certificate")
                .isEqualTo(403);
    }

    @Test
    void shouldNotAuthenticateByOtherCertificates() throws Exception {
        assertThat(send(null, request("/api/user")).statusCode()).isEqualTo(401);
        assertThat(send("nobody", request("/api/user")).statusCode()).isEqualTo(401);
        assertThat(send("vera", request("/api/user")).statusCode())
                .as("a user with a password")
                .isEqualTo(401);
        assertThat(send("two", request("/api/user")).statusCode()).isEqualTo(401);
        assertThatIOException().isThrownBy(() -> send("forged", request("/api/user")));
    }

    @Test
    void shouldAuthenticateByCertificatesOfTheAuthority() throws Exception {
        assertThat(send("of-authority", request("/api/user")).body()).contains("\"anna\"");
        assertThatIOException().as("a server's").isThrownBy(() -> send("of-server", request("/api/user")));
    }

    /** TLS accepts it if it is itself in the truststore. */
    @Test
    void shouldNotAuthenticateByAnExpiredCertificate() throws Exception {
        assertThat(send("expired", request("/api/user")).statusCode()).isEqualTo(401);
        assertThatIOException().isThrownBy(() -> send("past", request("/api/user")));
    }

    @Test
    void shouldTakePasswordsInAdditionToCertificates() throws Exception {
        String basic = Base64.getEncoder().encodeToString(("vera:" + PASSWORD).getBytes(StandardCharsets.UTF_8));
        assertThat(send("nobody", request("/api/user").header("Authorization", "Basic " + basic))
                        .body())
                .contains("vera");
        assertThat(send("anna", request("/api/user").header("Authorization", "Basic " + basic))
                        .body())
                .contains("anna");
        String noPassword = Base64.getEncoder().encodeToString("anna:".getBytes(StandardCharsets.UTF_8));
        assertThat(send(null, request("/api/user").header("Authorization", "Basic " + noPassword))
                        .statusCode())
                .isEqualTo(401);
    }

    @Test
    void shouldNotReadCertificatesFromHeaders() throws Exception {
        String sent = Base64.getEncoder()
                .encodeToString(keys("anna").getCertificate("key").getEncoded());
        assertThat(send(
                                null,
                                request("/api/user")
                                        .header("Client-Cert", ":" + sent + ":")
                                        .header("X-Forwarded-Client-Cert", "Subject=\"CN=anna\"")
                                        .header("X-SSL-Client-S-DN", "CN=anna"))
                        .statusCode())
                .isEqualTo(401);
    }

    /** As the health check of a container does, which knows no certificate authority. */
    @Test
    void shouldAnswerTheHealthCommandOfThisMachine() {
        String port = context.getEnvironment().getProperty("local.server.port");
        for (String host : List.of("127.0.0.1", "localhost")) { // the certificate has only one of them
            assertThat(new CommandLine(new HealthCommand())
                            .execute("liveness", "--url", "https://" + host + ":" + port))
                    .as(host)
                    .isZero();
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "CN=anna, O=Example | anna",
                "O=Example, CN=anna | anna",
                "CN=anna+OU=plant, O=Example | anna",
                "OU=\"x, CN=anna\", O=Example |",
                "OU=\"CN=anna\", CN=olaf | olaf",
                "CN=\"olaf, CN=anna\" | olaf, CN=anna",
                "CN=olaf, CN=anna |",
                "O=Example |",
            })
    void shouldReadTheCommonName(String subject, @Nullable String name) {
        assertThat(CertificateUsers.commonName(new X500Principal(subject))).isEqualTo(name);
    }
}
