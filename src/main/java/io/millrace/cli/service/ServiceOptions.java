package io.millrace.cli.service;

import java.io.Console;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The service that a command requests, and the credentials. */
final class ServiceOptions {

    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Option(
            names = "--url",
            paramLabel = "URL",
            description = {
                "URL of the service, such as https://localhost:8443. By default the value of",
                "MILLRACE_URL, or http://127.0.0.1:8080."
            })
    private @Nullable String url;

    @Option(
            names = "--user",
            paramLabel = "NAME",
            description = {
                "User with the role viewer, to change rules operator. The password is read from MILLRACE_PASSWORD, or from the",
                "terminal. Without this option, the token in MILLRACE_TOKEN is used, if it is set."
            })
    private @Nullable String user;

    /**
     * Returns a client of the service.
     *
     * @param environment environment variables
     * @param console terminal to read a password from, or null
     * @throws ParameterException if the URL is invalid, or there is no password
     */
    ServiceClient client(Map<String, String> environment, @Nullable Console console) {
        String address = url != null ? url : environment.getOrDefault("MILLRACE_URL", "http://127.0.0.1:8080");
        URI uri;
        try {
            uri = URI.create(address.replaceFirst("/+$", ""));
        } catch (IllegalArgumentException e) {
            throw invalid(address);
        }
        if (uri.getHost() == null
                || !Objects.requireNonNullElse(uri.getScheme(), "").matches("https?")) {
            throw invalid(address);
        }
        return new ServiceClient(uri, authorization(environment, console));
    }

    private ParameterException invalid(String address) {
        return new ParameterException(
                spec.commandLine(), "Invalid URL '" + address + "'. Use a URL such as https://localhost:8443.");
    }

    private @Nullable String authorization(Map<String, String> environment, @Nullable Console console) {
        if (user == null) {
            String token = environment.get("MILLRACE_TOKEN");
            return token == null ? null : "Bearer " + token;
        }
        String credentials = user + ":" + password(environment, console);
        return "Basic " + Base64.getEncoder().encodeToString(credentials.getBytes(StandardCharsets.UTF_8));
    }

    private String password(Map<String, String> environment, @Nullable Console console) {
        String password = environment.get("MILLRACE_PASSWORD");
        if (password != null) {
            return password;
        }
        char[] typed = console == null ? null : console.readPassword("Password of %s: ", user);
        if (typed == null) {
            throw new ParameterException(
                    spec.commandLine(), "Missing password of '" + user + "'. Set MILLRACE_PASSWORD.");
        }
        return new String(typed);
    }
}
