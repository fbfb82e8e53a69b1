package io.millrace.web.page;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.springframework.core.io.Resource;
import org.springframework.http.HttpHeaders;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;

/**
 * Sends the page with a Content-Security-Policy. It permits nothing from other origins, and no inline script or style
 * except the import map, which is permitted by its hash.
 */
final class PagePolicy implements WebFilter {

    private static final Set<String> PATHS = Set.of("/", "/index.html", "/sign-in.html");
    private static final Pattern IMPORT_MAP =
            Pattern.compile("<script type=\"importmap\">(.*?)</script>", Pattern.DOTALL);

    private final String policy;

    private PagePolicy(String policy) {
        this.policy = policy;
    }

    /**
     * Returns the policy of a page.
     *
     * @throws UncheckedIOException if the page can't be read
     */
    static PagePolicy of(Resource page) {
        try {
            return new PagePolicy(policy(page.getContentAsString(StandardCharsets.UTF_8)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the policy of a page with this text. */
    static String policy(String page) {
        Matcher importMap = IMPORT_MAP.matcher(page);
        String hash = importMap.find() ? " 'sha256-" + sha256(importMap.group(1)) + "'" : "";
        return "default-src 'self'; script-src 'self'" + hash
                + "; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";
    }

    private static String sha256(String text) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return Base64.getEncoder().encodeToString(hash);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every JDK has SHA-256.", e);
        }
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        if (PATHS.contains(exchange.getRequest().getPath().value())) {
            HttpHeaders headers = exchange.getResponse().getHeaders();
            headers.set("Content-Security-Policy", policy);
            headers.set("X-Content-Type-Options", "nosniff");
            // Otherwise browsers send the forms that sign in and out with the origin "null".
            headers.set("Referrer-Policy", "same-origin");
        }
        return chain.filter(exchange);
    }
}
