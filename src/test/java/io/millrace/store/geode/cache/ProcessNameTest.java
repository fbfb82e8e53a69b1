package io.millrace.store.geode.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.ChildJvm;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ProcessNameTest {

    /** A process that writes its name as it would store it, and ends at the end of its input. */
    static final class Child {

        private Child() {}

        static void main(String[] args) throws IOException {
            System.out.println(ProcessName.self().text());
            while (System.in.read() >= 0) {}
        }
    }

    /** The JDK computes start times from the clock: a step of the clock would end all processes started before it. */
    @Test
    void shouldNameAProcessIndependentlyOfTheClock() throws Exception {
        Process child = new ProcessBuilder(ChildJvm.command(Child.class)).start();
        try (BufferedReader output = child.inputReader()) {
            ProcessName name = ProcessName.parse(output.readLine());
            String stat = Files.readString(Path.of("/proc/" + child.pid() + "/stat"));
            String afterCommand = stat.substring(stat.lastIndexOf(')') + 2);

            assertThat(name.pid()).isEqualTo(child.pid());
            assertThat(name.started()).isEqualTo(Long.parseLong(afterCommand.split(" ", -1)[22 - 3]));
            assertThat(name.machine()).isEqualTo(ProcessName.self().machine()).isNotZero();
            assertThat(name.hasEnded()).isFalse();
            child.getOutputStream().close();
            child.waitFor();
            assertThat(name.hasEnded()).isTrue();
        } finally {
            child.destroyForcibly();
        }
    }

    @Test
    void shouldNotTakeAnotherProcessWithTheSameIdForIt() {
        ProcessName self = ProcessName.self();

        assertThat(self.hasEnded()).isFalse();
        assertThat(new ProcessName(self.host(), self.pid(), self.started() + 1, self.machine()).hasEnded())
                .isTrue();
    }

    /** Containers of a host share its boot, and often their host name and process ID. */
    @Test
    void shouldNotKnowWhetherAProcessOfAnotherNamespaceHasEnded() {
        ProcessName self = ProcessName.self();

        assertThat(new ProcessName(self.host(), self.pid(), 1, self.machine() + 1).hasEnded())
                .isFalse();
        assertThat(new ProcessName(self.host(), self.pid(), 1, 0).hasEnded()).isFalse();
    }

    @Test
    void shouldParseItsText() {
        ProcessName name = new ProcessName("host-1", 4711, 8104552, 0x9f3a0c11);

        assertThat(name.text()).isEqualTo("host-1:4711:8104552:9f3a0c11");
        assertThat(ProcessName.parse(name.text())).isEqualTo(name);
    }

    /** A lease is found by the text of its process, so the text must stay as it is. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "-",
                "host-1",
                "host-1:4711:1",
                "host-1:4711:1:0:0",
                "host-1:x:1:0",
                "host-1:4711:-1:0",
                "host-1:4711:99999999999999999999:0",
                "host-1:4711:1:9f3a0c119",
                "uuid:0197c5e2"
            })
    void shouldAcceptATextOfAnotherForm(String text) {
        ProcessName name = ProcessName.parse(text);

        assertThat(name.text()).isEqualTo(text);
        assertThat(name).hasToString(text).isEqualTo(ProcessName.parse(text));
        assertThat(name.hasEnded()).isFalse();
    }
}
