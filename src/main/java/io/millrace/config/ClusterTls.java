package io.millrace.config;

import io.millrace.store.geode.cache.ClusterOptions.Tls;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.util.Collections;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslStoreBundle;

/** Converts SSL bundles of Spring Boot to what Geode needs: files that only the current user can read. */
final class ClusterTls {

    private static final int PASSWORD_BYTES = 24;

    private ClusterTls() {}

    /** Writes the bundle's stores to files with a random password, which are deleted when the JVM exits. */
    static Tls of(String name, SslBundle bundle) {
        byte[] random = new byte[PASSWORD_BYTES];
        new SecureRandom().nextBytes(random);
        String password = HexFormat.of().formatHex(random);
        SslStoreBundle stores = bundle.getStores();
        try {
            String key = bundle.getKey().getPassword();
            String storePassword = stores.getKeyStorePassword();
            return new Tls(
                    write(stores.getKeyStore(), key == null ? storePassword : key, password),
                    write(stores.getTrustStore(), null, password),
                    password);
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException("SSL bundle '" + name + "' can't be used: " + e.getMessage(), e);
        }
    }

    private static Path write(@Nullable KeyStore from, @Nullable String keyPassword, String password)
            throws GeneralSecurityException, IOException {
        if (from == null) {
            throw new IOException("Missing keystore or truststore. Members check each other, so add both.");
        }
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        for (String alias : Collections.list(from.aliases())) {
            if (from.isKeyEntry(alias)) {
                Key key = from.getKey(alias, keyPassword == null ? null : keyPassword.toCharArray());
                store.setKeyEntry(alias, key, password.toCharArray(), from.getCertificateChain(alias));
            } else {
                store.setCertificateEntry(alias, from.getCertificate(alias));
            }
        }
        // Creates a file that only its owner can read.
        Path file = Files.createTempFile("millrace-", ".p12");
        file.toFile().deleteOnExit();
        try (OutputStream out = Files.newOutputStream(file)) {
            store.store(out, password.toCharArray());
        }
        return file;
    }
}
