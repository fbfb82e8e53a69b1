package io.millrace.web.access;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.security.authentication.BadCredentialsException;
import org.springframework.security.authentication.ReactiveAuthenticationManager;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.crypto.bcrypt.BCrypt;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * Authenticates users by their passwords. Bcrypt is slow by design, so at most two checks run at a time and
 * {@value #WAITING} wait; further ones fail with {@link BusySignInException}. After a successful check, the password is
 * compared by its SHA-256 hash with a salt of this process. Thread-safe.
 */
final class PasswordAuthenticationManager implements ReactiveAuthenticationManager, AutoCloseable {

    /** Maximum length of a password that bcrypt accepts. */
    static final int LONGEST_BYTES = 72;

    private static final int AT_A_TIME = 2;
    private static final int WAITING = 64;
    private static final int SALT_BYTES = 16;
    private static final int HASH_CHARACTERS = 31;

    private final BCryptPasswordEncoder encoder = new BCryptPasswordEncoder();
    private final Map<String, AccessUser> users;
    /**
     * A hash of no password: checked for unknown users, so that the response time does not reveal which users exist.
     */
    private final String nobody = BCrypt.gensalt() + ".".repeat(HASH_CHARACTERS);

    private final byte[] salt = new byte[SALT_BYTES];
    private final Map<String, byte[]> verified = new ConcurrentHashMap<>();
    private final Scheduler scheduler = Schedulers.newBoundedElastic(AT_A_TIME, WAITING / AT_A_TIME, "password-check");

    PasswordAuthenticationManager(List<AccessUser> users) {
        this.users = users.stream()
                .filter(user -> !user.byCertificate())
                .collect(Collectors.toMap(AccessUser::name, Function.identity()));
        new SecureRandom().nextBytes(salt);
    }

    @Override
    public Mono<Authentication> authenticate(Authentication given) {
        String name = given.getName();
        String password = String.valueOf(given.getCredentials());
        AccessUser user = users.get(name);
        if (user != null && isVerified(user, password)) {
            return Mono.just(granted(user));
        }
        return Mono.fromCallable(() -> check(user, password))
                .subscribeOn(scheduler)
                .onErrorMap(RejectedExecutionException.class, BusySignInException::new);
    }

    private Authentication check(@Nullable AccessUser user, String password) {
        boolean possible = password.getBytes(StandardCharsets.UTF_8).length <= LONGEST_BYTES;
        String hash = user == null ? null : user.passwordHash();
        boolean matches = encoder.matches(possible ? password : "", hash == null ? nobody : hash);
        if (!matches || !possible || user == null) {
            // Does not reveal which of them was wrong.
            throw new BadCredentialsException("The user is not known, or the password is wrong.");
        }
        verified.put(user.name(), digest(password));
        return granted(user);
    }

    private static Authentication granted(AccessUser user) {
        return UsernamePasswordAuthenticationToken.authenticated(user.name(), null, Authorities.of(user.role()));
    }

    private boolean isVerified(AccessUser user, String password) {
        byte[] known = verified.get(user.name());
        return known != null && MessageDigest.isEqual(known, digest(password));
    }

    private byte[] digest(String password) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(salt);
            return digest.digest(password.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every JDK has SHA-256.", e);
        }
    }

    @Override
    public void close() {
        scheduler.dispose();
    }
}
