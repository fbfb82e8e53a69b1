package io.millrace.web.access;

import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jose.util.JSONObjectUtils;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * An identity provider with one client, {@code millrace}, and a user per name: discovery, authorization code flow with
 * PKCE, and keys, as OpenID Connect Core 1.0 (section 3.1) and Discovery 1.0 define. Unlike a product, it can send
 * tokens with faults. A user's realm role is the user's name.
 */
public final class OpenIdProvider implements AutoCloseable {

    public static final String SECRET = "a secret of the client";

    private static final String FORM = "application/x-www-form-urlencoded";

    private record Grant(String user, Map<String, String> request) {}

    private final HttpServer server;
    private final AtomicInteger keyReads = new AtomicInteger();
    private volatile RSAKey key;
    private final Map<String, Grant> grants = new ConcurrentHashMap<>();
    private volatile UnaryOperator<JWTClaimsSet.Builder> change = UnaryOperator.identity();
    private volatile @Nullable RSAKey otherSigner;
    private final boolean namesIssuer;

    public OpenIdProvider() throws Exception {
        this(true);
    }

    /** @param namesIssuer whether it names itself in redirects, as RFC 9207 defines */
    OpenIdProvider(boolean namesIssuer) throws Exception {
        this.namesIssuer = namesIssuer;
        key = key();
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/.well-known/openid-configuration", exchange -> json(exchange, 200, metadata()));
        server.createContext("/keys", exchange -> {
            keyReads.incrementAndGet();
            json(exchange, 200, new JWKSet(key.toPublicJWK()).toJSONObject());
        });
        server.createContext("/authorize", this::authorize);
        server.createContext("/token", this::token);
        server.start();
    }

    static RSAKey key() throws Exception {
        return key("signer");
    }

    private static RSAKey key(String id) throws Exception {
        return new RSAKeyGenerator(2048).keyID(id).generate();
    }

    /** Replaces the key of this provider by one with another ID. */
    void rotateKey(String id) throws Exception {
        key = key(id);
    }

    /** Returns how often the keys were read. */
    int keyReads() {
        return keyReads.get();
    }

    /** Returns an access token (RFC 9068) of the user {@code viewer}, signed by the key of this provider. */
    String accessToken(String keyId) throws Exception {
        return sign(
                new JWTClaimsSet.Builder()
                        .issuer(issuer())
                        .subject("id-of-viewer")
                        .audience("millrace")
                        .expirationTime(Date.from(Instant.now().plusSeconds(60)))
                        .claim("roles", List.of("viewer"))
                        .build(),
                new JOSEObjectType("at+jwt"),
                keyId,
                key);
    }

    private static String sign(JWTClaimsSet claims, JOSEObjectType type, String keyId, RSAKey signer) throws Exception {
        SignedJWT token = new SignedJWT(
                new JWSHeader.Builder(JWSAlgorithm.RS256)
                        .type(type)
                        .keyID(keyId)
                        .build(),
                claims);
        token.sign(new RSASSASigner(signer));
        return token.serialize();
    }

    /** Another name than the service's, so that browsers take it for another site. */
    public String issuer() {
        return "http://localhost:" + server.getAddress().getPort();
    }

    /** Changes the claims of the next ID tokens. */
    void change(UnaryOperator<JWTClaimsSet.Builder> next) {
        change = next;
    }

    /** Signs the next ID tokens; null for the provider's own key. */
    void signBy(@Nullable RSAKey next) {
        otherSigner = next;
    }

    private Map<String, Object> metadata() {
        return Map.of(
                "issuer",
                issuer(),
                "authorization_endpoint",
                issuer() + "/authorize",
                "token_endpoint",
                issuer() + "/token",
                "jwks_uri",
                issuer() + "/keys",
                "response_types_supported",
                List.of("code"),
                "subject_types_supported",
                List.of("public"),
                "id_token_signing_alg_values_supported",
                List.of("RS256"),
                "authorization_response_iss_parameter_supported",
                namesIssuer);
    }

    /** Shows a link for each user; behind one, redirects to the client with a code. */
    private void authorize(HttpExchange exchange) throws IOException {
        URI uri = exchange.getRequestURI();
        Map<String, String> request = parameters(uri.getRawQuery());
        boolean valid = "code".equals(request.get("response_type"))
                && "millrace".equals(request.get("client_id"))
                && List.of(request.getOrDefault("scope", "").split(" ", -1)).contains("openid")
                && "S256".equals(request.get("code_challenge_method"))
                && request.containsKey("nonce")
                && request.containsKey("state");
        if (!valid) {
            send(exchange, 400, "text/plain", "invalid request: " + request);
            return;
        }
        String user = uri.getPath().substring("/authorize".length()).replace("/", "");
        if (user.isEmpty()) {
            String links = List.of("viewer", "operator", "admin", "none").stream()
                    .map(name -> "<a id='" + name + "' href='/authorize/" + name + "?"
                            + uri.getRawQuery().replace("&", "&amp;") + "'>" + name + "</a> ")
                    .collect(Collectors.joining());
            send(exchange, 200, "text/html", "<!doctype html><title>Provider</title>" + links);
            return;
        }
        String code = UUID.randomUUID().toString();
        grants.put(code, new Grant(user, request));
        exchange.getResponseHeaders()
                .set(
                        "Location",
                        request.get("redirect_uri") + "?code=" + code + "&state="
                                + URLEncoder.encode(String.valueOf(request.get("state")), StandardCharsets.UTF_8)
                                + (namesIssuer ? "&iss=" + URLEncoder.encode(issuer(), StandardCharsets.UTF_8) : ""));
        exchange.sendResponseHeaders(302, -1);
        exchange.close();
    }

    private void token(HttpExchange exchange) throws IOException {
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        Map<String, String> given = parameters(body);
        String secret = "Basic "
                + Base64.getEncoder()
                        .encodeToString(("millrace:" + URLEncoder.encode(SECRET, StandardCharsets.UTF_8))
                                .getBytes(StandardCharsets.UTF_8));
        Grant grant = grants.remove(given.getOrDefault("code", ""));
        try {
            if (!secret.equals(exchange.getRequestHeaders().getFirst("Authorization"))) {
                json(exchange, 401, Map.of("error", "invalid_client"));
            } else if (grant == null
                    || !FORM.equals(String.valueOf(exchange.getRequestHeaders().getFirst("Content-Type"))
                            .split(";", -1)[0])
                    || !"authorization_code".equals(given.get("grant_type"))
                    || !String.valueOf(grant.request().get("redirect_uri")).equals(given.get("redirect_uri"))
                    || !challenge(given.getOrDefault("code_verifier", ""))
                            .equals(grant.request().get("code_challenge"))) {
                json(exchange, 400, Map.of("error", "invalid_grant"));
            } else {
                json(
                        exchange,
                        200,
                        Map.of(
                                "access_token",
                                UUID.randomUUID().toString(),
                                "token_type",
                                "Bearer",
                                "expires_in",
                                60,
                                "id_token",
                                idToken(grant)));
            }
        } catch (Exception e) {
            throw new IOException(e);
        }
    }

    private static String challenge(String verifier) throws Exception {
        return Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(
                        MessageDigest.getInstance("SHA-256").digest(verifier.getBytes(StandardCharsets.US_ASCII)));
    }

    private String idToken(Grant grant) throws Exception {
        Instant now = Instant.now();
        JWTClaimsSet.Builder claims = new JWTClaimsSet.Builder()
                .issuer(issuer())
                .subject("id-of-" + grant.user())
                .audience("millrace")
                .issueTime(Date.from(now))
                .expirationTime(Date.from(now.plusSeconds(60)))
                .claim("nonce", grant.request().get("nonce"))
                .claim("preferred_username", grant.user())
                .claim("realm_access", Map.of("roles", List.of("offline_access", grant.user())));
        RSAKey other = otherSigner;
        return sign(change.apply(claims).build(), JOSEObjectType.JWT, "signer", other == null ? key : other);
    }

    private static Map<String, String> parameters(@Nullable String query) {
        return query == null
                ? Map.of()
                : Arrays.stream(query.split("&", -1))
                        .map(pair -> pair.split("=", 2))
                        .collect(Collectors.toMap(pair -> pair[0], pair -> decoded(pair[1]), (one, two) -> two));
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }

    private static void json(HttpExchange exchange, int status, Map<String, ?> body) throws IOException {
        send(exchange, status, "application/json", JSONObjectUtils.toJSONString(body));
    }

    private static void send(HttpExchange exchange, int status, String type, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", type);
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
