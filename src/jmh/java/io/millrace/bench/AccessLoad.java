package io.millrace.bench;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;

/**
 * What access control costs: a trade of W1, a query and the first event of a stream, of a service without users and of
 * one with users and an issuer of tokens. Each round starts both services, one after the other and in alternating
 * order, and measures all of them; prints best and median of each, and the median of the ratios within rounds.
 *
 * <pre>./mvnw -Pbench verify -Dbench.main=io.millrace.bench.AccessLoad -Dbench="12"</pre>
 *
 * The argument is the number of rounds. One round more, at first, is not counted. The client is in this JVM, has one
 * connection for its queries, and sends one request after the other.
 */
public final class AccessLoad {

    private static final String PASSWORD = "a password of some length";
    private static final String QUERY = "/api/regions/buys/records?limit=10";
    private static final String STREAM = "/api/live";
    private static final long SPAN_NANOS = 2_000_000_000L;
    private static final int STREAMS = 40;
    private static final int RSA_BITS = 2048;
    private static final int COOKIE_END = ';';

    private final Map<String, List<Double>> times = new LinkedHashMap<>();
    private final KeyPair issuer;
    private final Path issuerFile;

    private AccessLoad(KeyPair issuer, Path issuerFile) {
        this.issuer = issuer;
        this.issuerFile = issuerFile;
    }

    static void main(String[] args) throws Exception {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
        generator.initialize(RSA_BITS);
        KeyPair issuer = generator.generateKeyPair();
        String key = Base64.getMimeEncoder().encodeToString(issuer.getPublic().getEncoded());
        Path file = Files.writeString(
                Files.createTempFile("issuer", ".pem"),
                "-----BEGIN PUBLIC KEY-----\n" + key + "\n-----END PUBLIC KEY-----\n");
        AccessLoad load = new AccessLoad(issuer, file);
        int rounds = Integer.parseInt(args[0]);
        for (int round = 0; round <= rounds; round++) {
            if (round % 2 == 0) {
                load.measureOpen();
                load.measureUsers();
            } else {
                load.measureUsers();
                load.measureOpen();
            }
            if (round == 0) {
                load.times.clear();
            }
        }
        load.print();
    }

    private void measureOpen() throws Exception {
        try (PageService service = PageService.start()) {
            add("trade, without users", service.work());
            add("query, without users", query(service.port(), null));
            add("stream, without users", stream(service.port(), null));
        }
    }

    private void measureUsers() throws Exception {
        try (PageService service = PageService.start(
                "--millrace.security.users.vera.password=" + hash(),
                "--millrace.security.users.vera.role=viewer",
                "--spring.security.oauth2.resourceserver.jwt.audiences=millrace",
                "--spring.security.oauth2.resourceserver.jwt.public-key-location=" + issuerFile.toUri())) {
            String basic = "Authorization: Basic "
                    + Base64.getEncoder().encodeToString(("vera:" + PASSWORD).getBytes(StandardCharsets.UTF_8));
            String session = "Cookie: " + signIn(service.port());
            String token = "Authorization: Bearer " + token();
            add("trade, with users", service.work());
            add("query, password", query(service.port(), basic));
            add("query, session", query(service.port(), session));
            add("query, token", query(service.port(), token));
            add("stream, session", stream(service.port(), session));
        }
    }

    private static String hash() {
        return "{bcrypt}" + new BCryptPasswordEncoder().encode(PASSWORD);
    }

    private String token() throws Exception {
        SignedJWT jwt = new SignedJWT(
                new JWSHeader(JWSAlgorithm.RS256),
                new JWTClaimsSet.Builder()
                        .subject("vera")
                        .audience("millrace")
                        .claim("roles", List.of("viewer"))
                        .expirationTime(Date.from(Instant.now().plusSeconds(3600)))
                        .build());
        jwt.sign(new RSASSASigner(issuer.getPrivate()));
        return jwt.serialize();
    }

    private static String signIn(int port) throws Exception {
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpResponse<String> response = client.send(
                    HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/sign-in.html"))
                            .header("Content-Type", "application/x-www-form-urlencoded")
                            .POST(BodyPublishers.ofString("username=vera&password=" + PASSWORD.replace(' ', '+')))
                            .build(),
                    BodyHandlers.ofString());
            String cookie = response.headers().firstValue("Set-Cookie").orElseThrow();
            return cookie.substring(0, cookie.indexOf(COOKIE_END));
        }
    }

    /** Nanoseconds of a query, on one connection. */
    private static double query(int port, @Nullable String header) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + QUERY));
        if (header != null) {
            int colon = header.indexOf(':');
            request.header(header.substring(0, colon), header.substring(colon + 2));
        }
        HttpRequest built = request.build();
        try (HttpClient client = HttpClient.newHttpClient()) {
            long queries = 0;
            long began = System.nanoTime();
            long now = began;
            while (now - began < SPAN_NANOS) {
                HttpResponse<byte[]> response = client.send(built, BodyHandlers.ofByteArray());
                if (response.statusCode() != 200) {
                    throw new IOException("status " + response.statusCode());
                }
                queries++;
                now = System.nanoTime();
            }
            return (double) (now - began) / queries;
        }
    }

    /** Nanoseconds from the request to the first bytes of a stream's response. */
    private static double stream(int port, @Nullable String header) throws IOException {
        String request =
                "GET " + STREAM + " HTTP/1.1\r\nHost: localhost\r\n" + (header == null ? "" : header + "\r\n") + "\r\n";
        long nanos = 0;
        for (int i = 0; i < STREAMS; i++) {
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
                long began = System.nanoTime();
                socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
                InputStream in = socket.getInputStream();
                if (in.read() != 'H') {
                    throw new IOException("the service does not respond");
                }
                nanos += System.nanoTime() - began;
            }
        }
        return (double) nanos / STREAMS;
    }

    private void add(String what, double nanos) {
        System.out.printf(Locale.ROOT, "%s: %,.1f ns%n", what, nanos);
        times.computeIfAbsent(what, _ -> new ArrayList<>()).add(nanos);
    }

    private void print() {
        times.forEach((what, values) -> {
            List<Double> open = times.get(what.substring(0, what.indexOf(',')) + ", without users");
            List<Double> ratios = new ArrayList<>();
            for (int i = 0; open != null && i < values.size(); i++) {
                ratios.add(values.get(i) / open.get(i));
            }
            System.out.printf(
                    Locale.ROOT,
                    "%-24s best %,12.1f ns, median %,12.1f ns, paired %.3f (quartiles %.3f to %.3f)%n",
                    what,
                    values.stream().sorted().findFirst().orElseThrow(),
                    quantile(values, 0.5),
                    quantile(ratios, 0.5),
                    quantile(ratios, 0.25),
                    quantile(ratios, 0.75));
        });
    }

    private static double quantile(List<Double> values, double rank) {
        return values.stream()
                .sorted()
                .skip((long) (rank * (values.size() - 1)))
                .findFirst()
                .orElseThrow();
    }
}
