package io.millrace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.expression.function.FunctionProvider;
import io.millrace.feed.FeedFactory;
import io.millrace.output.OutputFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The archive that users download, unpacked into a folder with a space in its name, and its launcher. */
class DistributionIT {

    private static final Pattern CLASSIFIER = Pattern.compile("[?&]classifier=([^&]+)");

    private static final String CONFIG = """
        millrace:
          regions: { all: { layout: blocks } }
          pipelines:
            trades: { feed: { generator: { count: 1000 } }, schema: trade, steps: [ { to: all } ] }
        """;

    private static final String MAIN = "io.millrace.Millrace";

    /** The kind of output of an example, a feed, and perhaps a step. */
    private static final String EXTENDED = """
        millrace:
          outputs: { files: { spool: { folder: spool } } }
          pipelines:
            trades: { feed: { %s }, schema: trade, steps: [ %s { to: "output:files" } ] }
        """;

    @TempDir
    static Path shared;

    @TempDir
    Path folder;

    @SuppressWarnings("NullAway.Init") // set before all tests
    private static Path home;

    @SuppressWarnings("NullAway.Init") // likewise
    private static Result warmed;

    /** One compiler, for services that only have to start. */
    private static final String QUICK = "-XX:TieredStopAtLevel=1";

    /** What a command printed, and its exit code. */
    private record Result(int code, String output) {}

    @BeforeAll
    static void unpack() throws Exception {
        Path target = Files.createDirectory(shared.resolve("two words"));
        Path archive;
        try (Stream<Path> files = Files.list(Path.of("target"))) {
            archive = files.filter(file -> file.getFileName().toString().matches("millrace-.*\\.tar\\.gz"))
                    .findFirst()
                    .orElseThrow()
                    .toAbsolutePath();
        }
        Process tar = new ProcessBuilder("tar", "xzf", archive.toString())
                .directory(target.toFile())
                .inheritIO()
                .start();
        assertThat(tar.waitFor()).isZero();
        try (Stream<Path> unpacked = Files.list(target)) {
            home = unpacked.findFirst().orElseThrow().toRealPath();
        }
        warmed = run(shared, Map.of("MILLRACE_PIPELINES_X_SCHEMA", "none"), launcher(), "warm");
    }

    private static ProcessBuilder command(Path folder, Map<String, String> variables, String... command) {
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true);
        builder.environment().keySet().removeIf(name -> name.startsWith("MILLRACE_") || name.equals("JAVA_OPTS"));
        builder.environment().put("MILLRACE_JAVA_HOME", System.getProperty("java.home"));
        builder.environment().putAll(variables);
        return builder;
    }

    private Result run(Map<String, String> variables, String... command) throws Exception {
        return run(folder, variables, command);
    }

    private static Result run(Path folder, Map<String, String> variables, String... command) throws Exception {
        Path output = Files.createTempFile(folder, "run", ".log");
        Process process = command(folder, variables, command)
                .redirectOutput(output.toFile())
                .start();
        if (!process.waitFor(TestTimeout.MAX)) {
            process.destroyForcibly();
            throw new AssertionError("still runs:\n" + Files.readString(output));
        }
        return new Result(process.exitValue(), Files.readString(output));
    }

    private static String launcher() {
        return home.resolve("bin/millrace").toString();
    }

    private String[] service(String... arguments) throws IOException {
        Files.writeString(folder.resolve("config.yml"), CONFIG);
        List<String> all = new ArrayList<>(List.of(launcher(), "run", "config.yml", "--server.port=0"));
        all.addAll(List.of(arguments));
        return all.toArray(String[]::new);
    }

    @Test
    void shouldHoldAllJarsOfThePackagedJarOnce() throws Exception {
        List<String> packaged = new ArrayList<>();
        try (JarFile jar = new JarFile("target/millrace.jar")) {
            jar.stream()
                    .map(JarEntry::getName)
                    .filter(name -> name.startsWith("BOOT-INF/lib/") && name.endsWith(".jar"))
                    .forEach(name -> packaged.add(name.substring(name.lastIndexOf('/') + 1)));
        }
        packaged.add("millrace.jar");
        List<String> unpacked = new ArrayList<>();
        try (Stream<Path> files = Files.walk(home.resolve("lib"))) {
            files.filter(file -> !file.startsWith(home.resolve("lib/gfsh")))
                    .map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".jar"))
                    .forEach(unpacked::add);
        }
        assertThat(unpacked).containsExactlyInAnyOrderElementsOf(packaged);
        assertThat(home.resolve("LICENSE")).exists();
    }

    /** Starters of Spring Boot are empty jars, which are not packaged. */
    @Test
    void shouldListWhatItContains() throws Exception {
        Set<String> listed = new TreeSet<>();
        for (JsonNode component : JsonMapper.shared()
                .readTree(Files.readString(home.resolve("sbom.cdx.json")))
                .path("components")) {
            Matcher classifier = CLASSIFIER.matcher(component.path("purl").asString(""));
            String name = component.path("name").asString("");
            if (component.path("type").asString("").equals("library") && !name.startsWith("spring-boot-starter")) {
                listed.add(name + "-" + component.path("version").asString("")
                        + (classifier.find() ? "-" + classifier.group(1) : "") + ".jar");
            }
        }
        Set<String> contained = new TreeSet<>();
        try (Stream<Path> files = Files.walk(home.resolve("lib"))) {
            files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".jar") && !name.equals("millrace.jar"))
                    .forEach(contained::add);
        }
        assertThat(listed).isEqualTo(contained);
    }

    @Test
    void shouldHaveTheTextOfEachLicenseOfALibrary() throws Exception {
        String libraries = Files.readString(home.resolve("THIRD-PARTY.txt"));
        assertThat(libraries).contains("org.apache.geode:geode-core:", "org.springframework.boot:spring-boot:");
        assertThat(libraries).doesNotContain("Unknown license", "org.testcontainers:", "docker-java");
        List<String> names = Pattern.compile("^\\((.+?)\\) ", Pattern.MULTILINE)
                .matcher(libraries)
                .results()
                .flatMap(match -> Stream.of(match.group(1).split(" or ")))
                .toList();
        assertThat(names).hasSizeGreaterThan(150);
        assertThat(names.stream().distinct())
                .allSatisfy(name ->
                        assertThat(home.resolve("licenses/" + name + ".txt")).isNotEmptyFile());
        try (Stream<Path> texts = Files.list(home.resolve("licenses"))) {
            assertThat(texts.map(text -> text.getFileName().toString().replaceFirst("\\.txt$", "")))
                    .as("texts that a library needs")
                    .allMatch(names::contains);
        }
    }

    @Test
    void shouldHoldAReadmeAndTheDocumentation() throws Exception {
        assertThat(home.resolve("README.md"))
                .content()
                .startsWith("# Millrace ")
                .doesNotContain("${");
        for (String page : List.of("README.md", "CHANGELOG.md")) {
            Pattern.compile("\\]\\(([^:)#]+)[^)]*\\)")
                    .matcher(Files.readString(home.resolve(page)))
                    .results()
                    .forEach(link ->
                            assertThat(home.resolve(link.group(1))).as(page).exists());
        }
    }

    @Test
    void shouldCheckTheExamplesFromTheFolderOfTheArchiveAndFromTheirs() throws Exception {
        for (String example : List.of("trades.yml", "entries.yml", "persistent.yml")) {
            assertThat(run(home, Map.of(), launcher(), "check", "examples/" + example)
                            .output())
                    .startsWith("Fine: 1 pipeline, ");
            assertThat(run(home.resolve("examples"), Map.of(), launcher(), "check", example)
                            .output())
                    .startsWith("Fine: 1 pipeline, ");
        }
        assertThat(run(home.resolve("examples"), Map.of(), launcher(), "check", "csv.yml")
                        .code())
                .isZero();
        assertThat(run(home, Map.of(), launcher(), "test", "examples/trades.yml", "examples/trades-tests.yml")
                        .code())
                .isZero();
    }

    @Test
    void shouldEndTheLinesOfTheWindowsLauncherAsWindowsDoes() throws Exception {
        assertThat(Files.readString(home.resolve("bin/millrace.bat")))
                .contains("\r\n:run\r\n")
                .doesNotContainPattern("[^\r]\n");
    }

    @Test
    void shouldRunCommandsFromAnyFolderAndThroughLinks() throws Exception {
        Path link = Files.createSymbolicLink(folder.resolve("millrace"), Path.of(launcher()));
        Path second = Files.createSymbolicLink(folder.resolve("m"), link.getFileName());

        Result version = run(Map.of(), second.toString(), "--version");
        assertThat(version.output()).matches("millrace \\d.*\\n");
        assertThat(version.code()).isZero();
        assertThat(run(Map.of(), link.toString(), "check", home + "/conf/millrace.yml")
                        .code())
                .isZero();
        assertThat(run(Map.of(), link.toString(), "check", "no such file.yml").code())
                .isNotZero();
    }

    /** Creates the home of a Java that is too old. */
    private Path oldJava() throws IOException {
        Path old = Files.createDirectories(folder.toRealPath().resolve("old java"));
        Files.createDirectory(old.resolve("bin"));
        Path java = Files.writeString(old.resolve("bin/java"), "#!/bin/sh\nexit 3\n");
        assertThat(java.toFile().setExecutable(true)).isTrue();
        Files.writeString(old.resolve("release"), "IMPLEMENTOR=\"x\"\nJAVA_VERSION=\"17.0.15\"\n");
        return old;
    }

    @Test
    void shouldSayWhichJavaIsMissing() throws Exception {
        Path old = oldJava();
        Path java = old.resolve("bin/java");
        Result refused = run(Map.of("MILLRACE_JAVA_HOME", old.toString()), launcher(), "--version");
        assertThat(refused.code()).isEqualTo(1);
        assertThat(refused.output())
                .isEqualTo("millrace: Invalid MILLRACE_JAVA_HOME: '" + old + "' is Java 17. Set it to the folder of a"
                        + " Java 25 or newer, or unset it. No other Java was tried.\n");
        assertThat(runWithJava("/nonsense").output()).contains("'/nonsense' does not exist. ");
        assertThat(runWithJava("nonsense").output())
                .contains("'nonsense' does not exist (it is relative to '" + folder.toRealPath() + "'). ");
        assertThat(runWithJava(java.toString()).output())
                .contains("'" + java + "' is a file, not the folder that contains bin/java. ");
        assertThat(runWithJava(folder.toString()).output()).contains("'" + folder + "' contains no bin/java. ");
        // An older JAVA_HOME is passed over.
        Result found = run(
                Map.of(
                        "MILLRACE_JAVA_HOME",
                        "",
                        "JAVA_HOME",
                        old.toString(),
                        "PATH",
                        System.getProperty("java.home") + "/bin:" + System.getenv("PATH")),
                launcher(),
                "--version");
        assertThat(found.output()).startsWith("millrace ");
    }

    private Result runWithJava(String home) throws Exception {
        return run(Map.of("MILLRACE_JAVA_HOME", home), launcher(), "--version");
    }

    @Test
    void shouldListAWrongJavaHomeIfNoJavaIsFound() throws Exception {
        Path old = oldJava();
        // Without the usual folders of Java, which this machine has.
        String launcher =
                Files.readString(Path.of(launcher())).replaceFirst("for candidate in .*", "for candidate in; do");
        Path changed = Files.createDirectories(folder.resolve("home/bin")).resolve("millrace");
        Files.writeString(changed, launcher);
        assertThat(changed.toFile().setExecutable(true)).isTrue();

        Result refused = run(
                Map.of("MILLRACE_JAVA_HOME", "", "JAVA_HOME", "/nowhere", "PATH", old + "/bin:/usr/bin:/bin"),
                changed.toString(),
                "--version");
        assertThat(refused.output())
                .isEqualTo(
                        "millrace: Java 25 or newer is needed. Install it, or set MILLRACE_JAVA_HOME to its folder.\n"
                                + "Found:\n  JAVA_HOME=/nowhere does not exist\n  " + old + " is Java 17\n");
        assertThat(refused.code()).isEqualTo(1);
    }

    @Test
    void shouldRefuseAFolderFromWhichJavaLoadsNothing() throws Exception {
        Path changed = Files.createDirectories(folder.resolve("a:b/bin")).resolve("millrace");
        Files.copy(Path.of(launcher()), changed);
        Result refused = run(Map.of(), changed.toString(), "--version");
        assertThat(refused.code()).isEqualTo(1);
        assertThat(refused.output())
                .startsWith("millrace: Invalid installation folder: '")
                .contains("/a:b'. ");

        Map<String, String> cache = Map.of("MILLRACE_CACHE", folder + "/c:d");
        assertThat(run(cache, launcher(), "--version").output()).startsWith("millrace ");
    }

    /** Creates another home with the files of the archive, and returns it. Only its folder of extensions is its own. */
    private Path homeWithExtensions() throws IOException {
        Path other = Files.createDirectories(folder.toRealPath().resolve("home & extensions"));
        for (String part : List.of("cache", "conf", "lib")) {
            Files.createSymbolicLink(other.resolve(part), home.resolve(part));
        }
        Files.createDirectory(other.resolve("bin"));
        Files.copy(Path.of(launcher()), other.resolve("bin/millrace"), StandardCopyOption.COPY_ATTRIBUTES);
        Files.createDirectory(other.resolve("extensions"));
        Files.copy(home.resolve("extensions/README"), other.resolve("extensions/README"));
        return other;
    }

    /** Returns the arguments that a launcher passes to java. */
    private List<String> javaArguments(Path home, Map<String, String> variables, String... arguments) throws Exception {
        Path fake = folder.resolve("fake java");
        if (!Files.exists(fake)) {
            Files.createDirectories(fake.resolve("bin"));
            Files.writeString(fake.resolve("release"), "JAVA_VERSION=\"25.0.1\"\n");
            Path java =
                    Files.writeString(fake.resolve("bin/java"), "#!/bin/sh\nfor a; do printf '%s\\n' \"$a\"; done\n");
            assertThat(java.toFile().setExecutable(true)).isTrue();
        }
        Map<String, String> all = new HashMap<>(variables);
        all.put("MILLRACE_JAVA_HOME", fake.toString());
        all.put("MILLRACE_CACHE", "/no cache");
        all.put("MILLRACE_LOGS", "/proc/no logs");
        List<String> command =
                new ArrayList<>(List.of(home.resolve("bin/millrace").toString()));
        command.addAll(List.of(arguments));
        return run(all, command.toArray(String[]::new)).output().lines().toList();
    }

    @Test
    void shouldCallJavaWithTheJarOnlyUnlessThereAreExtensions() throws Exception {
        Path other = homeWithExtensions();
        String build = Files.readString(home.resolve("lib/millrace.jar.sha256")).strip();
        String jar = other.resolve("lib/millrace.jar").toString();
        String quiet = "-Xlog:aot*=off,cds*=off";
        List<String> cli =
                List.of("@" + other + "/conf/cli.options", quiet, "-XX:AOTCache=/no cache/cli-" + build + ".aot");
        List<String> service = List.of("@" + other + "/conf/jvm.options", quiet);
        Map<String, String> gfsh = Map.of("MILLRACE_GFSH", "true");
        String modules = "@" + other + "/lib/modules.options";

        assertThat(javaArguments(other, gfsh, "check", "a b.yml"))
                .isEqualTo(with(cli, "-jar", jar, "check", "a b.yml"));
        assertThat(javaArguments(other, Map.of(), "table", "get"))
                .isEqualTo(with(cli, "-XX:TieredStopAtLevel=4", "-jar", jar, "table", "get"));
        assertThat(javaArguments(other, Map.of(), "run", "a b.yml"))
                .isEqualTo(with(service, "-jar", jar, "run", "a b.yml"));
        assertThat(javaArguments(other, Map.of())).isEqualTo(with(service, "-jar", jar));
        assertThat(javaArguments(other, gfsh, "server"))
                .isEqualTo(with(service, "-cp", jar + ":" + other + "/lib/gfsh/*", modules, MAIN, "server"));

        Files.createFile(other.resolve("extensions/my feed.jar"));
        String classPath = jar + ":" + other + "/extensions/*";
        List<String> cliWithoutCache = cli.subList(0, 2);
        assertThat(javaArguments(other, gfsh, "check", "a b.yml"))
                .isEqualTo(with(cliWithoutCache, "-cp", classPath, modules, MAIN, "check", "a b.yml"));
        assertThat(javaArguments(other, Map.of(), "table", "get"))
                .isEqualTo(with(
                        cliWithoutCache, "-XX:TieredStopAtLevel=4", "-cp", classPath, modules, MAIN, "table", "get"));
        assertThat(javaArguments(other, Map.of(), "run", "a b.yml"))
                .isEqualTo(with(service, "-cp", classPath, modules, MAIN, "run", "a b.yml"));
        assertThat(javaArguments(other, gfsh, "server"))
                .isEqualTo(with(service, "-cp", classPath + ":" + other + "/lib/gfsh/*", modules, MAIN, "server"));
    }

    private static List<String> with(List<String> options, String... arguments) {
        return Stream.concat(options.stream(), Stream.of(arguments)).toList();
    }

    @Test
    void shouldKnowTheExtensionsOfTheFolderInCommandsAndServices() throws Exception {
        Path other = homeWithExtensions();
        String launcher = other.resolve("bin/millrace").toString();
        Files.writeString(folder.resolve("tail.yml"), EXTENDED.formatted("tail: { path: trades.bin }", ""));
        Files.writeString(
                folder.resolve("quarter.yml"),
                EXTENDED.formatted("file: trades.bin", "{ filter: '#quarter(tradeDate) <= 4' },"));
        assertThat(run(Map.of(), launcher, "generate", "--schema", "trade", "--count", "1000", "trades.bin")
                        .code())
                .isZero();
        Result refused = run(Map.of(), launcher, "check", "tail.yml");
        assertThat(refused.output()).contains("Unknown property 'tail'", "Unknown property 'spool'");
        assertThat(refused.code()).isEqualTo(1);

        ExtensionJar.write(
                other.resolve("extensions/my feed.jar"),
                Path.of("examples/feed/src/main/java"),
                Map.of(FeedFactory.class, "tail.TailFeedFactory"));
        ExtensionJar.write(
                other.resolve("extensions/spool.jar"),
                Path.of("examples/java/spool"),
                Map.of(OutputFactory.class, "spool.SpoolFactory"));
        ExtensionJar.write(
                other.resolve("extensions/calendar.jar"),
                Path.of("examples/java/calendar"),
                Map.of(FunctionProvider.class, "calendar.CalendarFunctions"));
        for (String config : List.of("tail.yml", "quarter.yml")) {
            Result checked = run(Map.of(), launcher, "check", config);
            assertThat(checked.output()).startsWith("Fine: 1 pipeline, ");
            assertThat(checked.code()).isZero();
        }
        Result ended = run(Map.of(), launcher, "run", "quarter.yml", "--server.port=0", "--exit-when-done");
        assertThat(ended.output()).contains(" completed: in=1000 ").doesNotContain("WARN", "ERROR", "[aot", "[cds");
        assertThat(ended.code()).isZero();
        try (Stream<Path> spooled = Files.list(folder.resolve("spool/trades-0"))) {
            assertThat(spooled.mapToLong(file -> file.toFile().length()).sum()).isEqualTo(1000 * 39);
        }
    }

    private static List<Path> gcLogs(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.getFileName().toString().matches("gc-\\d+\\.log"))
                    .sorted()
                    .toList();
        }
    }

    @Tag("long")
    @Test
    void shouldKeepTheGcLogsOfRunningServicesAndFourOfEndedOnes() throws Exception {
        Path logs = Files.createDirectory(folder.resolve("logs"));
        // No process has a number this high.
        for (int i = 1; i <= 6; i++) {
            Path log = Files.createFile(logs.resolve("gc-99999999" + i + ".log"));
            Files.createFile(logs.resolve(log.getFileName() + ".0"));
            Files.setLastModifiedTime(log, FileTime.from(Instant.EPOCH.plusSeconds(i)));
        }
        Path running =
                Files.createFile(logs.resolve("gc-" + ProcessHandle.current().pid() + ".log"));
        Files.setLastModifiedTime(running, FileTime.from(Instant.EPOCH));

        Result help = run(Map.of("MILLRACE_LOGS", logs.toString()), launcher(), "run", "--help");
        assertThat(help.code()).as(help.output()).isZero();
        assertThat(gcLogs(logs)).hasSize(6).contains(running, logs.resolve("gc-999999993.log"));
        assertThat(logs.resolve("gc-999999993.log.0")).exists();
        assertThat(logs.resolve("gc-999999992.log.0")).doesNotExist();
    }

    @Test
    void shouldRunCommandsThatEndWithoutGcLogs() throws Exception {
        Map<String, String> variables = Map.of(
                "MILLRACE_LOGS", folder.resolve("logs").toString(), "JDK_JAVA_OPTIONS", "-XX:+PrintCommandLineFlags");
        for (List<String> command : List.of(
                List.of("rules", "--help"), List.of("top", "--help"), List.of("tap", "--help"), List.of("chek"))) {
            List<String> all = new ArrayList<>(List.of(launcher()));
            all.addAll(command);
            assertThat(run(variables, all.toArray(String[]::new)).output())
                    .contains("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1 ");
        }
        assertThat(run(variables, launcher(), "backtest", "--help").output())
                .contains("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=4 ");
        assertThat(folder.resolve("logs")).doesNotExist();
    }

    @Test
    void shouldReplaceTheGarbageCollector() throws Exception {
        for (String collector : List.of("-XX:+UseG1GC", "-XX:+UseSerialGC", "-XX:+UseParallelGC")) {
            Map<String, String> variables = Map.of("JAVA_OPTS", collector + " -XX:+PrintCommandLineFlags");
            Result help = run(variables, launcher(), "run", "--help");
            assertThat(help.code()).as(help.output()).isZero();
            assertThat(help.output()).contains(collector + " ", "Usage: millrace run ");
        }
    }

    @Test
    void shouldTakeJvmOptionsOfTheEnvironmentAndOfFiles() throws Exception {
        Path own = Files.writeString(
                home.resolve("conf/jvm.options.d/own.options"), "-Xmx200m\n-XX:SoftRefLRUPolicyMSPerMB=7\n");
        try {
            Map<String, String> variables =
                    Map.of("JAVA_OPTS", "-XX:+PrintFlagsFinal -XX:+UseSerialGC -XX:-UseZGC -Xmx300m");
            Result help = run(variables, launcher(), "run", "--help");
            assertThat(help.code()).as(help.output()).isZero();
            assertThat(help.output())
                    .containsPattern("MaxHeapSize += 314572800 ")
                    .containsPattern("SoftRefLRUPolicyMSPerMB += 7 ")
                    .containsPattern("UseSerialGC += true");
        } finally {
            Files.delete(own);
        }
    }

    @Test
    void shouldRunTheServiceWithZgcAndItsCache() throws Exception {
        Path logs = folder.resolve("logs");
        Path classes = folder.resolve("classes.log");
        Map<String, String> variables =
                Map.of("MILLRACE_LOGS", logs.toString(), "JDK_JAVA_OPTIONS", "-Xlog:class+load:file=" + classes);
        Result ended = run(variables, service("--exit-when-done"));
        assertThat(ended.output())
                .contains(" completed: in=")
                .doesNotContain("WARN", "ERROR", "sun.misc.Unsafe", "[aot", "[cds");
        assertThat(ended.code()).isZero();
        assertThat(classes).content().contains("io.millrace.RunCommand source: shared objects file (top)");
        assertThat(gcLogs(logs))
                .singleElement()
                .satisfies(file -> assertThat(file).content().contains("Initializing The Z Garbage Collector"));
    }

    @Tag("long")
    @Test
    void shouldWriteCachesOfThisBuildAndPassOverStaleOnes() throws Exception {
        assertThat(warmed.code()).as(warmed.output()).isZero();
        String build = Files.readString(home.resolve("lib/millrace.jar.sha256")).strip();
        assertThat(build).isEqualTo(HexFormat.of().formatHex(sha256(home.resolve("lib/millrace.jar"))));
        Path cli = home.resolve("cache/cli-" + build + ".aot");
        Path cached = home.resolve("cache/service-" + build + ".jsa");
        assertThat(warmed.output()).isEqualTo("Writes " + cli + "\nWrites " + cached + "\n");

        Map<String, String> used = Map.of("JDK_JAVA_OPTIONS", "-Xlog:class+load");
        assertThat(run(used, launcher(), "check", home + "/conf/millrace.yml").output())
                .contains("io.millrace.cli.check.CheckCommand source: shared objects file");

        Path other = Files.createDirectory(folder.resolve("cache"));
        Files.writeString(other.resolve(cli.getFileName()), "not a cache");
        Files.writeString(other.resolve(cached.getFileName()), "not a cache");
        Map<String, String> stale = Map.of("MILLRACE_CACHE", other.toString());
        Result version = run(stale, launcher(), "--version");
        assertThat(version.output()).matches("millrace \\d.*\\n");
        Result help = run(stale, launcher(), "run", "--help");
        assertThat(help.output()).startsWith("Usage: millrace run ").doesNotContain("WARN", "ERROR", "[aot", "[cds");
        assertThat(help.code()).isZero();
    }

    @Tag("long")
    @Test
    void shouldLeaveNothingWhenWarmIsStopped() throws Exception {
        Path temporary = Files.createDirectory(folder.resolve("tmp"));
        Path cache = folder.resolve("cache");
        Map<String, String> variables = Map.of("TMPDIR", temporary.toString(), "MILLRACE_CACHE", cache.toString());
        Process process = command(folder, variables, launcher(), "warm")
                .redirectOutput(folder.resolve("warm.log").toFile())
                .start();
        try {
            await().until(() -> process.descendants()
                    .anyMatch(child -> child.info().command().orElse("").endsWith("/bin/java")));
            assertThat(temporary).isNotEmptyDirectory();
            List<ProcessHandle> children = process.descendants().toList();
            process.destroy();
            assertThat(process.waitFor(TestTimeout.MAX)).isTrue();
            assertThat(process.exitValue()).isEqualTo(143);
            assertThat(children).noneMatch(ProcessHandle::isAlive);
            assertThat(temporary).isEmptyDirectory();
            assertThat(cache).isEmptyDirectory();
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    void shouldCheckTheArgumentsAndTheFolderOfWarmFirst() throws Exception {
        Path file = Files.createFile(folder.resolve("file"));
        Map<String, String> variables = Map.of("MILLRACE_CACHE", file.toString());
        Result help = run(variables, launcher(), "warm", "--help");
        assertThat(help.output()).startsWith("Usage: millrace warm\n").contains("Folder of the caches: " + file);
        assertThat(help.code()).isZero();
        assertThat(run(variables, launcher(), "warm", "now").code()).isEqualTo(2);
        Result refused = run(variables, launcher(), "warm");
        assertThat(refused.output())
                .isEqualTo("millrace: Cannot write to the folder of caches: '" + file
                        + "'. Change its permissions, or set MILLRACE_CACHE to another folder.\n");
        assertThat(refused.code()).isEqualTo(1);
    }

    @Test
    void shouldConvertAndGenerateInPipes() throws Exception {
        String trades = Path.of("examples/trades.csv").toAbsolutePath().toString();
        String millrace = "'" + launcher() + "' ";
        String toBinary = millrace + "convert --schema trade --from csv --to bin - -";
        String toText = millrace + "convert --schema trade --from bin --to csv - back.csv";

        Result piped = run(Map.of(), "bash", "-c", "set -o pipefail; " + toBinary + " < " + trades + " | " + toText);
        assertThat(piped.code()).as(piped.output()).isZero();
        assertThat(Files.readAllLines(folder.resolve("back.csv"))).hasSameSizeAs(Files.readAllLines(Path.of(trades)));

        Result count = run(Map.of(), "bash", "-c", millrace + "generate --schema trade --count 1000 - | wc -c");
        assertThat(count.output().strip()).isEqualTo("39000");

        String spoiled = "sed '2s/Buy/Bye/' " + trades + " | " + toBinary;
        Result wrong = run(Map.of(), "bash", "-c", "set -o pipefail; " + spoiled + " > some.bin");
        assertThat(wrong.code()).isEqualTo(1);
        assertThat(wrong.output()).contains("1 of 10 records could not be converted. The others were written.");
        assertThat(folder.resolve("some.bin")).hasSize(9 * 39);
    }

    @Test
    void shouldCompleteCommands() throws Exception {
        Result completed = run(
                Map.of(),
                "bash",
                "-c",
                "source <('" + launcher() + "' generate-completion); COMP_WORDS=(millrace ch); COMP_CWORD=1;"
                        + " _complete_millrace; echo ${COMPREPLY[*]}");
        assertThat(completed.output().strip()).isEqualTo("check");
    }

    @Test
    void shouldReportTheHealthOfTheServiceAndPassSignalsToIt() throws Exception {
        Result down = run(Map.of("SERVER_PORT", "1"), launcher(), "health");
        assertThat(down.code()).isEqualTo(1);
        Path output = folder.resolve("service.log");
        Process process = command(folder, Map.of("JAVA_OPTS", QUICK + " -Dserver.port=0"), service())
                .redirectOutput(output.toFile())
                .start();
        try {
            Pattern port = Pattern.compile("Netty started on port (\\d+)");
            await().until(() -> port.matcher(Files.readString(output)).find() || !process.isAlive());
            Matcher found = port.matcher(Files.readString(output));
            assertThat(found.find()).as(Files.readString(output)).isTrue();
            Map<String, String> variables = Map.of("SERVER_PORT", found.group(1));
            assertThat(run(variables, launcher(), "health", "--wait", "900").code())
                    .isZero();
            assertThat(run(variables, launcher(), "health", "liveness").code()).isZero();
            assertThat(run(variables, launcher(), "health", "no-such-group").code())
                    .isEqualTo(1);

            process.destroy();
            assertThat(process.waitFor(TestTimeout.MAX)).isTrue();
            assertThat(process.exitValue()).isEqualTo(143);
            assertThat(Files.readString(output)).contains("Graceful shutdown complete");
        } finally {
            process.destroyForcibly();
        }
    }

    private static byte[] sha256(Path file) throws Exception {
        return MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file));
    }

    @Tag("long")
    @Test
    void shouldRunMembersWithTheJarsOfGfsh() throws Exception {
        Result ended = run(Map.of("MILLRACE_GFSH", "true", "JAVA_OPTS", QUICK), service("--exit-when-done"));
        assertThat(ended.output()).contains(" completed: in=");
        assertThat(ended.code()).isZero();
        assertThat(Objects.requireNonNull(home.resolve("lib/gfsh").toFile().list()))
                .anyMatch(name -> name.startsWith("geode-gfsh-"));
    }
}
