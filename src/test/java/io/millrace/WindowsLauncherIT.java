package io.millrace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.millrace.feed.FeedFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The launcher for Windows, run by Wine with a Java for Windows, in a folder whose name has a space, an ampersand and
 * parentheses. Services do not run: Wine 8 lacks functions that ZGC and Geode need. So java only prints its flags and
 * the help of such a command. Arguments have no percent signs, since Wine expands them twice.
 */
class WindowsLauncherIT {

    private static final Path WINE = Path.of("/usr/bin/wine");
    private static final Path PREFIX = Path.of("target/wine").toAbsolutePath();
    private static final String JAVA_PROPERTY = "millrace.windows.java";
    private static final Path JAVA =
            Path.of(System.getProperty(JAVA_PROPERTY, "none")).toAbsolutePath();

    @TempDir
    static Path shared;

    @TempDir
    Path folder;

    @SuppressWarnings("NullAway.Init") // set before all tests
    private static Path home;

    /** What a command printed, and its exit code. */
    private record Result(int code, String output) {}

    @BeforeAll
    static void copyHome() throws IOException {
        assumeTrue(
                Files.isExecutable(WINE) && Files.exists(JAVA.resolve("bin/java.exe")),
                "no Wine here (apt-get install wine wine64), or no Java 25 for Windows in the folder of -D"
                        + JAVA_PROPERTY);
        Path built = Path.of(System.getProperty("millrace.home")).toAbsolutePath();
        home = Files.createDirectory(shared.resolve("Mill & race (x86)"));
        Files.createSymbolicLink(home.resolve("lib"), built.resolve("lib"));
        for (String copied : List.of("bin", "conf")) {
            try (Stream<Path> files = Files.walk(built.resolve(copied))) {
                for (Path file : files.toList()) {
                    Files.copy(file, home.resolve(built.relativize(file).toString()));
                }
            }
        }
    }

    private static String windows(Path path) {
        return "Z:" + path.toString().replace('/', '\\');
    }

    private static String launcher() {
        return "\"" + windows(home.resolve("bin/millrace.bat")) + "\"";
    }

    private static String javaHome(Path java) {
        return "set \"MILLRACE_JAVA_HOME=" + windows(java) + "\"";
    }

    /** Runs lines of a batch file; its exit code is that of the last one. */
    private Result run(String... lines) throws Exception {
        Files.writeString(folder.resolve("run.bat"), "@echo off\r\n" + String.join("\r\n", lines) + "\r\n");
        Path output = folder.resolve("output");
        ProcessBuilder builder = new ProcessBuilder(WINE.toString(), "cmd", "/c", "run.bat")
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("MILLRACE_") || name.startsWith("JAVA_"));
        builder.environment().put("WINEPREFIX", PREFIX.toString());
        builder.environment().put("WINEDEBUG", "-all");
        // Without them, Wine offers to install .NET and a browser.
        builder.environment().put("WINEDLLOVERRIDES", "mscoree=;mshtml=");
        Process process = builder.start();
        if (!process.waitFor(TestTimeout.MAX)) {
            process.destroyForcibly();
            throw new AssertionError("still runs:\n" + Files.readString(output));
        }
        return new Result(process.exitValue(), Files.readString(output));
    }

    @Test
    void shouldCheckTheConfigurationOfTheArchive() throws Exception {
        Result checked =
                run(javaHome(JAVA), launcher() + " check \"" + windows(home.resolve("conf/millrace.yml")) + "\"");
        assertThat(checked.output()).contains("Fine: 1 pipeline, 2 regions.");
        assertThat(checked.code()).isZero();
    }

    @Test
    void shouldPassArgumentsAsTheyAreAndReturnTheExitCode() throws Exception {
        Result refused = run(javaHome(JAVA), launcher() + " check \"a b=c!d&e^f(g).yml\"");
        assertThat(refused.output()).contains("File not found: 'a b=c!d&e^f(g).yml'.");
        assertThat(refused.code()).isEqualTo(2);
    }

    @Test
    void shouldShowWhichJavaIsMissing() throws Exception {
        Path old = Files.createDirectories(folder.resolve("old java"));
        Files.createDirectory(old.resolve("bin"));
        Files.writeString(old.resolve("bin/java.exe"), "not read");
        Files.writeString(old.resolve("release"), "IMPLEMENTOR=\"x\"\nJAVA_VERSION=\"17.0.15\"\n");

        Result refused = run(javaHome(old), launcher() + " --version");
        assertThat(refused.output())
                .contains(
                        "millrace: Invalid MILLRACE_JAVA_HOME: \"" + windows(old) + "\\bin\\java.exe\" is Java 17. Set")
                .contains("No other Java was tried.");
        assertThat(refused.code()).isEqualTo(1);
        assertThat(run(javaHome(folder.resolve("none")), launcher() + " --version")
                        .output())
                .contains("\"" + windows(folder.resolve("none")) + "\\bin\\java.exe\" does not exist. Set");
        Result none = run("set \"JAVA_HOME=" + windows(old) + "\"", launcher() + " --version");
        assertThat(none.output())
                .contains("millrace: Java 25 or newer is needed. Install it, or set MILLRACE_JAVA_HOME to its folder.")
                .contains("Found: \"" + windows(old) + "\\bin\\java.exe\" is Java 17.");
        assertThat(none.code()).isEqualTo(1);

        // An older JAVA_HOME is passed over, and a Java without the file "release" is asked for its version.
        Path unnamed = Files.createDirectories(folder.resolve("unnamed java"));
        for (String part : List.of("bin", "lib", "conf")) {
            Files.createSymbolicLink(unnamed.resolve(part), JAVA.resolve(part));
        }
        Result found = run(
                "set \"JAVA_HOME=" + windows(old) + "\"",
                "set \"PATH=%PATH%;" + windows(unnamed) + "\\bin\"",
                launcher() + " --version");
        assertThat(found.output()).containsPattern("millrace \\d");
        assertThat(found.code()).isZero();
    }

    @Test
    void shouldRunServicesWithTheirOptionsAndLogs() throws Exception {
        Files.writeString(home.resolve("conf/jvm.options.d/own.options"), "-Xmx200m\n-XX:SoftRefLRUPolicyMSPerMB=7\n");
        String build = Files.readString(home.resolve("lib/millrace.jar.sha256")).strip();
        Files.createDirectories(folder.resolve("cache"));
        Files.writeString(folder.resolve("cache/service-" + build + ".jsa"), "not a cache");
        // Wine lacks the memory functions that ZGC needs.
        Result printed = run(
                javaHome(JAVA),
                "set \"MILLRACE_CACHE=" + windows(folder.resolve("cache")) + "\"",
                "set \"MILLRACE_LOGS=" + windows(folder.resolve("the logs")) + "\"",
                "set JAVA_OPTS=\"-Dx=a&b\" -XX:+UseSerialGC -Xmx100m -XX:+PrintCommandLineFlags",
                launcher() + " run --help");
        assertThat(printed.output())
                .contains("-XX:MaxHeapSize=104857600 ", "-XX:SoftRefLRUPolicyMSPerMB=7 ", "-XX:+UseSerialGC ")
                .contains("-XX:Tier4InvocationThreshold=20000 ", "service-" + build + ".jsa ", "hs_err_pid")
                .contains("--exit-when-done");
        assertThat(printed.code()).isZero();
        try (Stream<Path> logs = Files.list(folder.resolve("the logs"))) {
            assertThat(logs).singleElement().satisfies(log -> {
                assertThat(log.getFileName().toString()).matches("gc-\\d+\\.log");
                assertThat(log).content().contains("Using Serial");
            });
        }
    }

    @Test
    void shouldRemoveOldGcLogs() throws Exception {
        Path logs = Files.createDirectory(folder.resolve("logs"));
        for (int i = 1; i <= 6; i++) {
            Files.createFile(logs.resolve("gc-" + i + ".log"));
            Files.createFile(logs.resolve("gc-" + i + ".log.0"));
        }
        Result printed = run(
                javaHome(JAVA),
                "set \"MILLRACE_LOGS=" + windows(logs) + "\"",
                "set \"JAVA_OPTS=-XX:+UseSerialGC\"",
                launcher() + " run --help");
        assertThat(printed.code()).as(printed.output()).isZero();
        try (Stream<Path> files = Files.list(logs)) {
            assertThat(files).as(printed.output()).hasSize(2 * 4 + 1);
        }
    }

    @Test
    void shouldRunCommandsThatEndWithoutGcLogs() throws Exception {
        Path logs = folder.resolve("logs");
        Result printed = run(
                javaHome(JAVA),
                "set \"MILLRACE_LOGS=" + windows(logs) + "\"",
                "set \"JDK_JAVA_OPTIONS=-XX:+PrintCommandLineFlags\"",
                "call " + launcher() + " top --help",
                launcher() + " backtest --help");
        assertThat(printed.output()).contains("-XX:TieredStopAtLevel=1 ", "-XX:TieredStopAtLevel=4 ");
        assertThat(logs).doesNotExist();
    }

    @Test
    void shouldKnowTheExtensionsOfTheFolder() throws Exception {
        Path config = Files.writeString(folder.resolve("tail.yml"), """
                millrace:
                  regions: { all: { layout: blocks } }
                  pipelines:
                    trades: { feed: { tail: { path: trades.bin } }, schema: trade, steps: [ { to: all } ] }
                """);
        Files.createFile(folder.resolve("trades.bin"));
        String check = launcher() + " check " + config.getFileName();
        assertThat(run(javaHome(JAVA), check).output()).contains("Unknown property 'tail'");

        Path extensions = Files.createDirectory(home.resolve("extensions"));
        Path jar = extensions.resolve("my feed.jar");
        ExtensionJar.write(
                jar, Path.of("examples/feed/src/main/java"), Map.of(FeedFactory.class, "tail.TailFeedFactory"));
        try {
            Result checked = run(javaHome(JAVA), check);
            assertThat(checked.output()).contains("Fine: 1 pipeline, 1 region.");
            assertThat(checked.code()).isZero();
        } finally {
            Files.delete(jar);
        }
    }

    @Test
    void shouldShowTheUsageOfWarm() throws Exception {
        Result help = run(javaHome(JAVA), launcher() + " warm --help");
        assertThat(help.output()).contains("Usage: millrace warm");
        assertThat(help.code()).isZero();
    }
}
