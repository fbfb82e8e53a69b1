package io.millrace;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A JVM with this one's class path and modules, for tests whose process is killed or joins a cluster. It starts fast.
 */
public final class ChildJvm {

    private ChildJvm() {}

    /** Returns the command that runs a class. */
    public static List<String> command(Class<?> main, String... arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(argument -> argument.startsWith("--"))
                .forEach(command::add);
        Stream.of("-cp", System.getProperty("java.class.path"), main.getName()).forEach(command::add);
        command.addAll(List.of(arguments));
        return command;
    }
}
