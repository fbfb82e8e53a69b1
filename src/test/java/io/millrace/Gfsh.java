package io.millrace;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Geode's own shell, in a process of its own. */
final class Gfsh {

    private Gfsh() {}

    /**
     * Runs commands, one after the other as long as they succeed.
     *
     * @param folder where it writes its files
     * @return all that it printed
     */
    static String run(Path folder, String... commands) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "--add-opens=java.base/java.lang=ALL-UNNAMED",
                "--add-opens=java.base/java.util=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                "org.apache.geode.management.internal.cli.Launcher"));
        for (String each : commands) {
            command.addAll(List.of("-e", each));
        }
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .start();
        process.getOutputStream().close();
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
}
