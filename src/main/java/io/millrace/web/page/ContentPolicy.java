package io.millrace.web.page;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The Content-Security-Policy of the page. It permits nothing from other origins, and no inline script or style except
 * the import map, which is permitted by its hash. Stateless.
 */
final class ContentPolicy {

    private static final Pattern IMPORT_MAP =
            Pattern.compile("<script type=\"importmap\">(.*?)</script>", Pattern.DOTALL);

    private ContentPolicy() {}

    /** Returns the policy of a page with this text. */
    static String of(String page) {
        Matcher importMap = IMPORT_MAP.matcher(page);
        String hash = importMap.find() ? " 'sha256-" + Base64.getEncoder().encodeToString(sha256(importMap)) + "'" : "";
        return "default-src 'self'; script-src 'self'" + hash
                + "; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";
    }

    private static byte[] sha256(Matcher importMap) {
        return sha256(importMap.group(1).getBytes(StandardCharsets.UTF_8));
    }

    static byte[] sha256(byte[] bytes) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(bytes);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every JDK has SHA-256.", e);
        }
    }
}
