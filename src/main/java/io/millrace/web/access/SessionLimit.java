package io.millrace.web.access;

import java.util.Comparator;
import java.util.List;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContext;
import org.springframework.security.oauth2.client.authentication.OAuth2AuthenticationToken;
import org.springframework.security.web.server.WebFilterExchange;
import org.springframework.security.web.server.authentication.ServerAuthenticationSuccessHandler;
import org.springframework.security.web.server.context.WebSessionServerSecurityContextRepository;
import org.springframework.web.server.WebSession;
import org.springframework.web.server.session.InMemoryWebSessionStore;
import reactor.core.publisher.Mono;

/**
 * Limits the sessions of each user: a sign-in beyond the limit ends the least recently used session. Without it, one
 * user could take all 10,000 sessions of the service, and nobody else could sign in. Thread-safe; concurrent sign-ins
 * can exceed the limit by their number.
 *
 * <p>Spring Security's own limit would also store a session for every request with a password.
 */
final class SessionLimit implements ServerAuthenticationSuccessHandler {

    static final int SESSIONS_OF_A_USER = 50;

    private final InMemoryWebSessionStore store;

    SessionLimit(InMemoryWebSessionStore store) {
        this.store = store;
    }

    @Override
    public Mono<Void> onAuthenticationSuccess(WebFilterExchange exchange, Authentication user) {
        return exchange.getExchange()
                .getSession()
                .flatMapIterable(added -> tooMany(user, added))
                .concatMap(WebSession::invalidate)
                .then();
    }

    private List<WebSession> tooMany(Authentication user, WebSession added) {
        return store.getSessions().values().stream()
                .filter(session -> isOf(user, session) && !session.getId().equals(added.getId()))
                .sorted(Comparator.comparing(WebSession::getLastAccessTime).reversed())
                .skip(SESSIONS_OF_A_USER - 1)
                .toList();
    }

    /**
     * Returns whether a session is that of a user. Users with a password and users of different providers may have the
     * same name.
     */
    private static boolean isOf(Authentication user, WebSession session) {
        SecurityContext context = session.getAttribute(
                WebSessionServerSecurityContextRepository.DEFAULT_SPRING_SECURITY_CONTEXT_ATTR_NAME);
        Authentication authentication = context == null ? null : context.getAuthentication();
        return authentication != null
                && authentication.getName().equals(user.getName())
                && provider(authentication).equals(provider(user));
    }

    private static String provider(Authentication user) {
        return user instanceof OAuth2AuthenticationToken token ? token.getAuthorizedClientRegistrationId() : "";
    }
}
