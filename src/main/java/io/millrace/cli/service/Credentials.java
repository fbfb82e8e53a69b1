package io.millrace.cli.service;

import io.millrace.codec.file.FileErrors;
import java.io.Console;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The user of a running service. */
public final class Credentials {

    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Option(
            names = "--user",
            paramLabel = "NAME",
            description = {
                "User with the role viewer, to change rules operator. The password is read from",
                "--password-file, from MILLRACE_PASSWORD, or from the terminal. Without a user, the token in",
                "MILLRACE_TOKEN is used, if it is set."
            })
    private @Nullable String user;

    @Option(names = "--password-file", paramLabel = "FILE", description = "File with the user's password.")
    private @Nullable Path passwordFile;

    /**
     * Returns the value of the header {@code Authorization}, or null for a request without credentials.
     *
     * @param environment environment variables
     * @throws ParameterException if there is no password
     */
    public @Nullable String authorization(Map<String, String> environment) {
        if (user == null) {
            String token = environment.get("MILLRACE_TOKEN");
            return token == null ? null : "Bearer " + token;
        }
        return "Basic " + HttpHeaders.encodeBasicAuth(user, password(environment), StandardCharsets.UTF_8);
    }

    private String password(Map<String, String> environment) {
        if (passwordFile != null) {
            try {
                return Files.readString(passwordFile).strip();
            } catch (IOException e) {
                throw new ParameterException(
                        spec.commandLine(),
                        "Invalid option --password-file. " + FileErrors.describe(passwordFile.toString(), e),
                        e);
            }
        }
        String password = environment.get("MILLRACE_PASSWORD");
        return password != null ? password : typed(System.console());
    }

    private String typed(@Nullable Console console) {
        char[] typed = console == null ? null : console.readPassword("Password of %s: ", user);
        if (typed == null) {
            throw new ParameterException(
                    spec.commandLine(),
                    "Missing password of '" + Objects.requireNonNull(user)
                            + "'. Use --password-file, or set MILLRACE_PASSWORD.");
        }
        return new String(typed);
    }
}
