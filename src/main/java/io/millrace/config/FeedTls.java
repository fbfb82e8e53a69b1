package io.millrace.config;

import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import java.util.List;
import javax.net.ssl.SSLException;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslOptions;

/** Converts SSL bundles of Spring Boot for the server of a feed. */
final class FeedTls {

    private FeedTls() {}

    /**
     * Returns the context of a server with the bundle's key, certificates, ciphers and protocols. With a truststore, it
     * requires client certificates, because a server uses a truststore for nothing else.
     */
    static SslContext of(SslBundle bundle) {
        SslOptions options = bundle.getOptions();
        SslContextBuilder builder =
                SslContextBuilder.forServer(bundle.getManagers().getKeyManagerFactory());
        if (options.getCiphers() != null) {
            builder.ciphers(List.of(options.getCiphers()));
        }
        if (options.getEnabledProtocols() != null) {
            builder.protocols(options.getEnabledProtocols());
        }
        if (bundle.getStores().getTrustStore() != null) {
            builder.trustManager(bundle.getManagers().getTrustManagerFactory()).clientAuth(ClientAuth.REQUIRE);
        }
        try {
            return builder.build();
        } catch (SSLException e) {
            throw new IllegalStateException("The SSL bundle can't be used: " + e.getMessage(), e);
        }
    }
}
