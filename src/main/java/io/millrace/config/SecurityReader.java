package io.millrace.config;

import io.millrace.config.SecurityProperties.UserProperties;
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
import java.util.ArrayList;
import java.util.List;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

/** Reads who may use the HTTP interface, and refuses to open it to a network by accident. */
public final class SecurityReader {

    private static final String SECURITY = RootKeys.MILLRACE + ".security";
    private static final String RESOURCE_SERVER = "spring.security.oauth2.resourceserver.jwt.";
    private static final List<String> ISSUERS = List.of("issuer-uri", "jwk-set-uri", "public-key-location");

    private final Environment environment;
    private final List<Problem> problems = new ArrayList<>();

    private SecurityReader(Environment environment) {
        this.environment = environment;
    }

    /**
     * Reads it.
     *
     * @throws ConfigurationException with all problems, such as that the service listens on an address that others can
     *     reach and nobody is said to be let in
     */
    public static AccessOptions read(Environment environment) {
        return new SecurityReader(environment)
                .read(PropertyBinding.bind(environment).security());
    }

    private AccessOptions read(SecurityProperties properties) {
        List<AccessUser> users = new ArrayList<>();
        properties.users().forEach((name, user) -> users.add(user(name, user)));
        boolean secured = !users.isEmpty() || hasIssuer();
        if (properties.open() && secured) {
            problems.add(new Problem(
                    SECURITY + ".open", "Everyone may do everything with open: true. Remove it, or the users."));
        }
        if (!properties.open() && !secured) {
            requireLoopback("server.port", "server.address");
        }
        if (!properties.open() && environment.containsProperty("management.server.port")) {
            // Its requests do not pass the filters of the service.
            requireLoopback("management.server.port", "management.server.address");
        }
        if (!problems.isEmpty()) {
            throw new ConfigurationException(problems);
        }
        return new AccessOptions(!secured, users, properties.rolesClaim());
    }

    private boolean hasIssuer() {
        boolean issuer =
                ISSUERS.stream().anyMatch(name -> StringUtils.hasText(environment.getProperty(RESOURCE_SERVER + name)));
        if (issuer
                && Binder.get(environment)
                        .bind(RESOURCE_SERVER + "audiences", Bindable.listOf(String.class))
                        .orElse(List.of())
                        .isEmpty()) {
            problems.add(new Problem(
                    RESOURCE_SERVER + "audiences",
                    "is missing. Without it, tokens that the issuer made for other services are accepted too."));
        }
        return issuer;
    }

    private void requireLoopback(String port, String address) {
        String host = Binder.get(environment).bind(address, String.class).orElse("");
        if ("-1".equals(environment.getProperty(port)) || isLoopback(host)) {
            return;
        }
        problems.add(new Problem(
                address,
                "'" + host + "' can be reached by others, and nobody is said to be let in. Name a user:\n"
                        + "    millrace.security.users.admin:\n"
                        + "      password-file: /run/secrets/millrace-admin\n"
                        + "      role: admin\n"
                        + "  or listen on 127.0.0.1, or set millrace.security.open: true if everyone who reaches it may"
                        + " do everything."));
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
            problem(name, "needs a role: viewer, operator or admin");
        }
        return new AccessUser(name, hash(name, given), role == null ? AccessRole.VIEWER : role);
    }

    private String hash(String name, UserProperties given) {
        String password = given.password();
        Path file = given.passwordFile();
        if (password != null && file == null) {
            if (!Passwords.isHash(password)) {
                problem(name, "has a password that is no bcrypt hash. `millrace password` makes one.");
            }
            return Passwords.withoutPrefix(password);
        }
        if (file == null || password != null) {
            problem(name, "needs either a password or a password-file");
            return "";
        }
        try {
            return Passwords.hash(Files.readString(file).strip());
        } catch (IOException | IllegalArgumentException e) {
            problem(name, "has a password-file that can't be used: " + e.getMessage());
            return "";
        }
    }

    private void problem(String user, String message) {
        problems.add(new Problem(SECURITY + ".users." + user, message));
    }
}
