package io.millrace.config.binding;

import static io.millrace.schema.ProblemCode.CONFLICTING_PROPERTIES;
import static io.millrace.schema.ProblemCode.INSECURE_ACCESS;
import static io.millrace.schema.ProblemCode.INVALID_VALUE;
import static io.millrace.schema.ProblemCode.MISSING_VALUE;
import static io.millrace.schema.ProblemCode.UNREADABLE_FILE;

import io.millrace.config.properties.SecurityProperties;
import io.millrace.config.properties.SecurityProperties.UserProperties;
import io.millrace.pipeline.definition.Problem;
import io.millrace.web.access.AccessOptions;
import io.millrace.web.access.AccessRole;
import io.millrace.web.access.AccessUser;
import io.millrace.web.access.Passwords;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

/** Reads the users of the HTTP interface, and refuses to open it to a network by accident. */
public final class SecurityReader {

    private static final String SECURITY = RootKeys.MILLRACE + ".security";
    private static final String RESOURCE_SERVER = "spring.security.oauth2.resourceserver.jwt.";
    private static final String MANAGEMENT_PORT = "management.server.port";
    private static final List<String> ISSUERS = List.of("issuer-uri", "jwk-set-uri", "public-key-location");

    private static final Logger LOG = LoggerFactory.getLogger(SecurityReader.class);

    private static final String USER_OF_SAMPLE = "sample";
    private static final int PASSWORD_BYTES = 12;

    private static final String REGISTRATIONS = "spring.security.oauth2.client.registration";
    private static final String OPENID = "openid";

    /**
     * A registration at an identity provider.
     *
     * @param scope requested scopes, as Spring Boot binds them
     */
    record Registration(@Nullable String clientId, @Nullable Set<String> scope) {}

    /**
     * An SSL bundle.
     *
     * @param truststore properties of its truststore
     */
    record Bundle(@Nullable Map<String, String> truststore) {}

    private final Environment environment;
    private final List<Problem> problems = new ArrayList<>();

    private SecurityReader(Environment environment) {
        this.environment = environment;
    }

    /**
     * Returns the users of the HTTP interface, with their passwords hashed.
     *
     * @throws ConfigurationException with all problems, such as an address that other machines can reach without users
     */
    public static AccessOptions read(Environment environment) {
        return new SecurityReader(environment)
                .read(PropertyBinding.bind(environment).security());
    }

    private AccessOptions read(SecurityProperties properties) {
        List<AccessUser> users = new ArrayList<>();
        properties.users().forEach((name, user) -> users.add(user(name, user)));
        if (properties.users().values().stream().anyMatch(UserProperties::certificate)) {
            requireClientCertificates();
        }
        boolean issuer = hasIssuer();
        boolean provider = hasProvider();
        boolean secured = !users.isEmpty() || issuer || provider;
        if (properties.open() && secured) {
            problems.add(
                    new Problem(
                            SECURITY + ".open",
                            INSECURE_ACCESS.message(
                                    "'open: true' permits every request. Remove it, or the users, the issuer and the identity provider.")));
        }
        if (!properties.open() && !secured) {
            List<Problem> exposed = exposed();
            if (!exposed.isEmpty() && SamplePipelines.areAlone(environment)) {
                users.add(userOfSample());
                secured = true;
            } else {
                problems.addAll(exposed);
            }
        }
        if (!problems.isEmpty()) {
            throw new ConfigurationException(problems);
        }
        return new AccessOptions(!secured, users, properties.rolesClaim());
    }

    /** Returns a problem for each address that other machines can reach. */
    private List<Problem> exposed() {
        List<Problem> exposed = new ArrayList<>();
        if (isExposed("server.port", "server.address")) {
            exposed.add(withoutUsers("server.address"));
        }
        if (environment.containsProperty(MANAGEMENT_PORT) && isExposed(MANAGEMENT_PORT, "management.server.address")) {
            exposed.add(withoutUsers("management.server.address"));
        }
        return exposed;
    }

    /**
     * Creates a user with a random password for the sample, so that the image shows the page without a configuration.
     */
    private static AccessUser userOfSample() {
        byte[] random = new byte[PASSWORD_BYTES];
        new SecureRandom().nextBytes(random);
        String password = HexFormat.of().formatHex(random);
        LOG.info(
                "Other machines can reach this service, and no users are configured. Sign in as {} with password {},"
                        + " which is valid until this process ends.",
                USER_OF_SAMPLE,
                password);
        return new AccessUser(USER_OF_SAMPLE, Passwords.hash(password), AccessRole.OPERATOR);
    }

    private boolean hasIssuer() {
        boolean issuer =
                ISSUERS.stream().anyMatch(name -> StringUtils.hasText(environment.getProperty(RESOURCE_SERVER + name)));
        if (issuer
                && Binder.get(environment)
                        .bind(RESOURCE_SERVER + "audiences", Bindable.listOf(String.class))
                        .orElse(List.of())
                        .isEmpty()) {
            problems.add(
                    new Problem(
                            RESOURCE_SERVER + "audiences",
                            MISSING_VALUE.message(
                                    "Missing value: the audience of tokens. Without it, tokens for other services of the issuer would be accepted.")));
        }
        return issuer;
    }

    /** Requires the scope {@code openid}, because providers send no ID token without it. */
    private boolean hasProvider() {
        Map<String, Registration> registrations = Binder.get(environment)
                .bind(REGISTRATIONS, Bindable.mapOf(String.class, Registration.class))
                .orElse(Map.of());
        registrations.forEach((id, registration) -> {
            if (!StringUtils.hasText(registration.clientId())) {
                problems.add(new Problem(
                        REGISTRATIONS + "." + id + ".client-id",
                        MISSING_VALUE.message("Missing value: the client ID that the identity provider issued.")));
            }
            if (registration.scope() == null || !registration.scope().contains(OPENID)) {
                problems.add(new Problem(
                        REGISTRATIONS + "." + id + ".scope",
                        MISSING_VALUE.message(
                                "Missing scope 'openid'. Add it: Millrace supports sign-in by OpenID Connect only.")));
            }
        });
        return !registrations.isEmpty();
    }

    /** Requires a truststore: without one, certificates of every authority that the JDK trusts would be accepted. */
    private void requireClientCertificates() {
        String ssl = "server.ssl.";
        String bundle = environment.getProperty(ssl + "bundle", "");
        boolean truststore =
                Stream.of("trust-certificate", "trust-store").anyMatch(name -> environment.containsProperty(ssl + name))
                        || Stream.of("pem", "jks").anyMatch(type -> hasTruststore(type, bundle));
        if (!truststore) {
            problems.add(
                    new Problem(
                            ssl + "bundle",
                            MISSING_VALUE.message(
                                    "Missing truststore. Users with 'certificate: true' need a bundle that trusts their certificate authority.")));
        }
        String mode = Binder.get(environment)
                .bind(ssl + "client-auth", String.class)
                .orElse("none")
                .toLowerCase(Locale.ROOT);
        if (!mode.equals("want") && !mode.equals("need")) {
            problems.add(new Problem(
                    ssl + "client-auth",
                    INVALID_VALUE.message("Users with 'certificate: true' can't sign in. Use want or need.")));
        }
    }

    private boolean hasTruststore(String type, String bundle) {
        Bundle found = Binder.get(environment)
                .bind("spring.ssl.bundle." + type, Bindable.mapOf(String.class, Bundle.class))
                .orElse(Map.of())
                .get(bundle);
        return found != null && found.truststore() != null;
    }

    private boolean isExposed(String port, String address) {
        return !"-1".equals(environment.getProperty(port)) && !isLoopback(host(address));
    }

    private String host(String address) {
        return Binder.get(environment).bind(address, String.class).orElse("");
    }

    private Problem withoutUsers(String address) {
        return new Problem(
                address,
                INSECURE_ACCESS.message("Address '" + host(address)
                        + "' can be reached from other machines, but no users are configured. Add a user:\n"
                        + "    millrace.security.users.admin:\n"
                        + "      password-file: /run/secrets/millrace-admin\n"
                        + "      role: admin\n"
                        + "  or listen on 127.0.0.1, or set millrace.security.open: true to permit every request."));
    }

    private static boolean isLoopback(String host) {
        try {
            return !host.isEmpty() && InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException e) {
            return false;
        }
    }

    private AccessUser user(String name, UserProperties given) {
        AccessRole role = given.role();
        if (role == null) {
            problem(name, MISSING_VALUE.message("Missing 'role'. Use viewer, operator or admin."));
        }
        return new AccessUser(name, hash(name, given), role == null ? AccessRole.VIEWER : role);
    }

    private @Nullable String hash(String name, UserProperties given) {
        String password = given.password();
        Path file = given.passwordFile();
        if (given.certificate()) {
            if (password != null || file != null) {
                problem(
                        name,
                        CONFLICTING_PROPERTIES.message(
                                "Too many properties. Use either 'certificate' or a password, or configure a user for each."));
            }
            return null;
        }
        if (password != null && file == null) {
            if (!Passwords.isHash(password)) {
                problem(
                        name,
                        INVALID_VALUE.message(
                                "Invalid password: not a bcrypt hash. Create one with 'millrace password'."));
            }
            return Passwords.withoutPrefix(password);
        }
        if (file == null || password != null) {
            problem(
                    name,
                    MISSING_VALUE.message(
                            "Missing property. Use exactly one of: password, password-file, certificate."));
            return "";
        }
        try {
            return Passwords.hash(Files.readString(file).strip());
        } catch (IOException | IllegalArgumentException e) {
            problem(name, UNREADABLE_FILE.message("Invalid 'password-file': " + e.getMessage()));
            return "";
        }
    }

    private void problem(String user, String message) {
        problems.add(new Problem(SECURITY + ".users." + user, message));
    }
}
