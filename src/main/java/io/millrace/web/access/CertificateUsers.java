package io.millrace.web.access;

import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import javax.naming.InvalidNameException;
import javax.naming.NamingException;
import javax.naming.directory.Attribute;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;
import javax.security.auth.x500.X500Principal;
import org.jspecify.annotations.Nullable;
import org.springframework.http.server.reactive.SslInfo;
import org.springframework.security.authentication.ReactiveAuthenticationManager;
import org.springframework.security.core.Authentication;
import org.springframework.security.web.authentication.preauth.PreAuthenticatedAuthenticationToken;
import org.springframework.security.web.server.authentication.ServerAuthenticationConverter;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/**
 * Authenticates users by the client certificate of their TLS connection, whose common name is the user's. The service's
 * own TLS has validated the certificate; headers are not read. A certificate of another name is ignored, so that its
 * owner can authenticate by a password. Thread-safe.
 */
final class CertificateUsers implements ServerAuthenticationConverter, ReactiveAuthenticationManager {

    private final Map<String, AccessUser> users;

    /** @param users all users; those with a password are not accepted */
    CertificateUsers(List<AccessUser> users) {
        this.users = users.stream()
                .filter(AccessUser::byCertificate)
                .collect(Collectors.toMap(AccessUser::name, Function.identity()));
    }

    @Override
    public Mono<Authentication> convert(ServerWebExchange exchange) {
        return Mono.justOrEmpty(user(exchange.getRequest().getSslInfo()))
                .map(user -> new PreAuthenticatedAuthenticationToken(user.name(), "", Authorities.of(user.role())));
    }

    /** Returns the authentication unchanged: {@link #convert} has looked up the user. */
    @Override
    public Mono<Authentication> authenticate(Authentication authentication) {
        return Mono.just(authentication);
    }

    private @Nullable AccessUser user(@Nullable SslInfo tls) {
        X509Certificate[] certificates = tls == null ? null : tls.getPeerCertificates();
        if (certificates == null || certificates.length == 0) {
            return null;
        }
        String name = isValid(certificates[0]) ? commonName(certificates[0].getSubjectX500Principal()) : null;
        return name == null ? null : users.get(name);
    }

    /**
     * Returns whether a certificate is valid now. TLS checks it when a session begins, which may last longer, and
     * accepts one that is itself in the truststore although it has expired.
     */
    private static boolean isValid(X509Certificate certificate) {
        try {
            certificate.checkValidity();
            return true;
        } catch (CertificateExpiredException | CertificateNotYetValidException e) {
            return false;
        }
    }

    /** Returns the common name of a subject; null if there is not exactly one. */
    static @Nullable String commonName(X500Principal subject) {
        try {
            List<Object> names = new ArrayList<>();
            for (Rdn rdn : new LdapName(subject.getName(X500Principal.RFC2253)).getRdns()) {
                Attribute name = rdn.toAttributes().get("CN");
                for (int i = 0; name != null && i < name.size(); i++) {
                    names.add(name.get(i));
                }
            }
            return names.size() == 1 && names.getFirst() instanceof String name ? name : null;
        } catch (InvalidNameException e) {
            return null;
        } catch (NamingException e) {
            throw new IllegalStateException("The attributes of a name can't be read.", e);
        }
    }
}
