package io.millrace.nemesis;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The ports that a process has open for others, as Linux shows them.
 *
 * @param udp for datagrams
 * @param tcp for connections
 */
public record OpenPorts(Set<Integer> udp, Set<Integer> tcp) {

    private static final String LISTENING = "0A";
    private static final int INODE = 9;

    /** Returns those of a process of this user. */
    public static OpenPorts of(ProcessHandle process) throws IOException {
        Path folder = Path.of("/proc", String.valueOf(process.pid()));
        Set<String> sockets = new HashSet<>();
        try (Stream<Path> files = Files.list(folder.resolve("fd"))) {
            for (Path file : files.toList()) {
                String target = socket(file);
                if (target.startsWith("socket:[")) {
                    sockets.add(target.substring("socket:[".length(), target.length() - 1));
                }
            }
        }
        return new OpenPorts(ports(folder, "udp", sockets, false), ports(folder, "tcp", sockets, true));
    }

    private static String socket(Path file) {
        try {
            return Files.readSymbolicLink(file).toString();
        } catch (IOException e) {
            return ""; // closed meanwhile
        }
    }

    private static Set<Integer> ports(Path folder, String protocol, Set<String> sockets, boolean listening)
            throws IOException {
        Set<Integer> ports = new TreeSet<>();
        for (String table : List.of(protocol, protocol + "6")) {
            for (String line : Files.readAllLines(folder.resolve("net").resolve(table))) {
                String[] fields = line.strip().split("\\s+", -1);
                if (fields.length > INODE
                        && sockets.contains(fields[INODE])
                        && (!listening || fields[3].equals(LISTENING))) {
                    ports.add(Integer.parseInt(fields[1].substring(fields[1].lastIndexOf(':') + 1), 16));
                }
            }
        }
        return ports;
    }
}
