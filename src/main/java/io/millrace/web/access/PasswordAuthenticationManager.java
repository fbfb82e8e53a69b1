package io.millrace.web.access;

import io.millrace.feed.SourceNetwork;
import io.millrace.web.request.RequestSender;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.springframework.security.authentication.BadCredentialsException;
import org.springframework.security.authentication.ReactiveAuthenticationManager;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.crypto.bcrypt.BCrypt;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;
import reactor.core.publisher.Mono;

/**
 * Authenticates users by their passwords. Bcrypt is slow by design, so at most two checks run at a time and
 * {@value #WAITING} wait, those of all {@linkplain SourceNetwork networks} in turn; further ones fail with
 * {@link BusySignInException}. A failed check takes the same time for each user and for unknown ones. After a
 * successful check, the password is compared by its SHA-256 hash with a salt of this process. Thread-safe.
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
     * The highest cost of a password's hash: a check with the cost n + 1 takes twice as long as one with the cost n.
     */
    private final int highestCost;

    private final byte[] salt = new byte[SALT_BYTES];
    private final Map<String, byte[]> verified = new ConcurrentHashMap<>();
    private final ExecutorService threads = Executors.newFixedThreadPool(
            AT_A_TIME, Thread.ofPlatform().daemon().name("password-check-", 1).factory());
    private final FairTasks checks = new FairTasks(AT_A_TIME, WAITING, threads);

    PasswordAuthenticationManager(List<AccessUser> users) {
        this.users = users.stream()
                .filter(user -> !user.byCertificate())
                .collect(Collectors.toMap(AccessUser::name, Function.identity()));
        this.highestCost = this.users.values().stream()
                .mapToInt(PasswordAuthenticationManager::cost)
                .max()
                .orElse(Passwords.LOWEST_COST);
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
        return Mono.deferContextual(context -> checks.run(RequestSender.network(context), () -> check(user, password)));
    }

    private static int cost(AccessUser user) {
        String hash = user.passwordHash();
        return hash == null ? Passwords.LOWEST_COST : Passwords.cost(hash);
    }

    private Authentication check(@Nullable AccessUser user, String password) {
        boolean possible = password.getBytes(StandardCharsets.UTF_8).length <= LONGEST_BYTES;
        String hash = user == null ? null : user.passwordHash();
        boolean matches = hash != null && encoder.matches(possible ? password : "", hash);
        if (!matches || !possible || user == null) {
            // Reveals neither by its text nor by its time which of them was wrong.
            remainingCosts(hash, highestCost).forEach(cost -> encoder.matches(password, hashOfNothing(cost)));
            throw new BadCredentialsException("The user is not known, or the password is wrong.");
        }
        verified.put(user.name(), digest(password));
        return granted(user);
    }

    /**
     * Returns the costs of checks that together take the time by which a check with the highest cost takes longer than
     * one of a hash.
     *
     * @param hash null if none was checked
     */
    static IntStream remainingCosts(@Nullable String hash, int highestCost) {
        return hash == null ? IntStream.of(highestCost) : IntStream.range(Passwords.cost(hash), highestCost);
    }

    private static String hashOfNothing(int cost) {
        return BCrypt.gensalt(cost) + ".".repeat(HASH_CHARACTERS);
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
        threads.shutdownNow();
    }
}
