package io.millrace.cli;

import io.millrace.cli.error.CommandErrorCode;
import io.millrace.web.access.Passwords;
import java.io.BufferedReader;
import java.io.Console;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Prints the hash of a password, for the configuration. */
@Command(
        name = "password",
        mixinStandardHelpOptions = true,
        footerHeading = "%nExamples:%n",
        footer = {"  millrace password"},
        description = {
            "Reads a password and prints its bcrypt hash, for millrace.security.users.NAME.password.",
            "At a terminal, it prompts for the password. Otherwise, it reads a line of standard input."
        })
public final class PasswordCommand implements Callable<Integer> {

    private static final int WRONG = 1;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        try {
            spec.commandLine().getOut().println(Passwords.hash(read()));
            return 0;
        } catch (IllegalArgumentException e) {
            spec.commandLine()
                    .getErr()
                    .println(CommandErrorCode.INVALID_ARGUMENT.message(String.valueOf(e.getMessage())));
            return WRONG;
        }
    }

    /** The console is null if input is redirected. */
    @SuppressWarnings("SystemConsoleNull")
    private static String read() throws IOException {
        Console console = System.console();
        if (console != null) {
            char[] typed = console.readPassword("Password: ");
            return typed == null ? "" : new String(typed);
        }
        String line = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)).readLine();
        return line == null ? "" : line;
    }
}
