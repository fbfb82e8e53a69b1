package io.millrace.pipeline;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * One run of FreeRADIUS's client, which knows attributes by the names of FreeRADIUS's dictionary and believes no answer
 * whose authenticator is wrong.
 *
 * @param exit its exit code, 0 where all requests were answered
 * @param output all that it printed
 */
record Radclient(int exit, String output) {

    private static final String PROGRAM = "radclient";
    private static final int MINUTES = 2;

    static boolean isInstalled() throws InterruptedException {
        try {
            Process process = new ProcessBuilder(PROGRAM, "-v")
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return process.waitFor(MINUTES, TimeUnit.MINUTES);
        } catch (IOException e) {
            return false;
        }
    }

    /**
     * Sends requests.
     *
     * @param requests attributes one a line, with empty lines between requests
     * @param command {@code acct} or {@code status}
     * @param options of radclient's, such as {@code -r 1}
     */
    static Radclient run(Path folder, int port, String command, String secret, String requests, String... options)
            throws IOException, InterruptedException {
        Path input = Files.writeString(Files.createTempFile(folder, "requests", ".txt"), requests);
        Path output = Files.createTempFile(folder, "radclient", ".txt");
        List<String> words = new ArrayList<>(List.of(PROGRAM, "-x"));
        words.addAll(List.of(options));
        words.addAll(List.of("-f", input.toString(), "127.0.0.1:" + port, command, secret));
        Process process = new ProcessBuilder(words)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        if (!process.waitFor(MINUTES, TimeUnit.MINUTES)) {
            process.destroyForcibly();
            throw new AssertionError("radclient did not end: " + Files.readString(output));
        }
        return new Radclient(process.exitValue(), Files.readString(output));
    }

    /** How many answers it got and believed. */
    long answers() {
        return found("(?m)^Received Accounting-Response ").size();
    }

    /** The values of Proxy-State in its answers, in order. */
    List<String> proxyStates() {
        int from = output.indexOf("Received Accounting-Response ");
        return new Radclient(exit, output.substring(Math.max(0, from)))
                .found("(?m)^\tProxy-State = (\\S+)$").stream()
                        .map(match -> match.group(1))
                        .toList();
    }

    private List<MatchResult> found(String pattern) {
        return Pattern.compile(pattern).matcher(output).results().toList();
    }
}
