package io.millrace.config;

import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import java.util.List;
import javax.net.ssl.SSLException;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslOptions;

/** Makes of one of Spring Boot's SSL bundles what a feed's server needs. */
final class FeedTls {

    private FeedTls() {}

    /**
     * For a server with the bundle's key and certificates, ciphers and protocols. Senders are not asked for a
     * certificate of theirs.
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
        try {
            return builder.build();
        } catch (SSLException e) {
            throw new IllegalStateException("the SSL bundle's key can't be used: " + e.getMessage(), e);
        }
    }
}
