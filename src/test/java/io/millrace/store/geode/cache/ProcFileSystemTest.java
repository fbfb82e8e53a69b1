package io.millrace.store.geode.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ProcFileSystemTest {

    private static final String AFTER_COMMAND =
            " S 1 50 50 0 -1 4194560 171 0 0 0 0 0 0 0 20 0 1 0 1565439 2527232 404 18446744073709551615";

    @TempDir
    Path root;

    private ProcFileSystem proc;

    @BeforeEach
    void setUp() throws IOException {
        proc = new ProcFileSystem(root);
        write("sys/kernel/random/boot_id", "1b0f5a0c-5c4e-4a0e-9d5e-6b9d3f0a8a11\n");
        write("self/stat", "50 (java)" + AFTER_COMMAND);
        write("self/mounts", "proc /proc proc rw,nosuid,nodev,noexec,relatime 0 0\n");
        Files.createDirectories(root.resolve("self/ns"));
        link("pid", "pid:[4026531836]");
        link("time", "time:[4026531834]");
    }

    private void write(String file, String content) throws IOException {
        Path path = root.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, content);
    }

    private void link(String namespace, String target) throws IOException {
        Path link = root.resolve("self/ns").resolve(namespace);
        Files.deleteIfExists(link);
        Files.createSymbolicLink(link, Path.of(target));
    }

    @ParameterizedTest
    @ValueSource(strings = {"java", "", "a b", ")", ") S 1 2 3 (", "(((", "x) R 1 (y", "ä"})
    void shouldReadTheStartOfACommandOfAnyName(String command) throws IOException {
        write("50/stat", "50 (" + command + ")" + AFTER_COMMAND + "\n");

        assertThat(proc.startTicks(50)).isEqualTo(1565439);
        assertThat(proc.hasEnded(50, 1565439)).isFalse();
        assertThat(proc.hasEnded(50, 1565438)).isTrue();
    }

    /** The kernel names a script as its file. */
    @Test
    void shouldReadTheStartOfARealProcessWithParenthesesInItsName() throws Exception {
        ProcFileSystem real = new ProcFileSystem(Path.of("/proc"));
        Path script = root.resolve("a) S 1 (b");
        Files.writeString(script, "#!/bin/sh\necho started\nread line\n");
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
        Process process = new ProcessBuilder(script.toString()).start();
        try (var output = process.inputReader()) {
            assertThat(output.readLine()).isEqualTo("started");
            long started = real.startTicks(process.pid());

            assertThat(Path.of("/proc/" + process.pid() + "/comm")).hasContent("a) S 1 (b");
            assertThat(started)
                    .isGreaterThanOrEqualTo(
                            real.startTicks(ProcessHandle.current().pid()));
            assertThat(real.hasEnded(process.pid(), started)).isFalse();
            process.getOutputStream().close();
            process.waitFor();
            assertThat(real.hasEnded(process.pid(), started)).isTrue();
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    void shouldNotTakeAnUnreadableProcessForEnded() throws IOException {
        for (String content : new String[] {"", "50", "50 (java", "50 (java) S 1", "50 (java) S" + " x".repeat(40)}) {
            write("50/stat", content);

            assertThatIOException().as(content).isThrownBy(() -> proc.startTicks(50));
            assertThat(proc.hasEnded(50, 1565439)).as(content).isFalse();
        }
        Files.delete(root.resolve("50/stat"));
        Files.createDirectory(root.resolve("50/stat"));
        assertThat(proc.hasEnded(50, 1565439)).isFalse();
        Files.delete(root.resolve("50/stat"));
        assertThat(proc.hasEnded(50, 1565439)).isTrue();
    }

    @Test
    void shouldDistinguishBootsAndNamespaces() throws IOException {
        int machine = proc.machine(50);
        assertThat(machine).isNotZero().isEqualTo(proc.machine(50));

        link("pid", "pid:[4026532201]");
        int container = proc.machine(50);
        assertThat(container).isNotZero().isNotEqualTo(machine);
        link("time", "time:[4026532202]");
        assertThat(proc.machine(50)).isNotZero().isNotEqualTo(container).isNotEqualTo(machine);
        Files.delete(root.resolve("self/ns/time"));
        assertThat(proc.machine(50)).as("an old kernel").isNotZero();
        setUp();
        write("sys/kernel/random/boot_id", "2b0f5a0c-5c4e-4a0e-9d5e-6b9d3f0a8a11\n");
        assertThat(proc.machine(50)).isNotZero().isNotEqualTo(machine);
    }

    /** In a new namespace without a mount of its own, {@code /proc} shows the processes of the outer one. */
    @Test
    void shouldNotKnowTheMachineFromTheProcessesOfAnotherNamespace() {
        assertThat(proc.machine(1)).isZero();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            rw,relatime,hidepid=invisible | false
            hidepid=2,gid=4               | false
            rw,hidepid=ptraceable         | false
            rw,hidepid=4                  | false
            rw,hidepid=noaccess           | true
            rw,hidepid=1                  | true
            rw,hidepid=0                  | true
            rw,hidepid=off                | true
            """)
    void shouldNotKnowTheMachineWhereProcessesAreHidden(String options, boolean known) throws IOException {
        write("self/mounts", "/dev/sda1 / ext4 rw 0 0\nproc /proc proc " + options + " 0 0\n");

        assertThat(proc.machine(50) != 0).isEqualTo(known);
    }

    @Test
    void shouldNotKnowTheMachineOfOtherSystems() {
        assertThat(new ProcFileSystem(root.resolve("missing")).machine(50)).isZero();
    }
}
