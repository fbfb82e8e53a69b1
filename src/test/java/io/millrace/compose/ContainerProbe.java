package io.millrace.compose;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Set;

/**
 * Prints what a process in a container may do. It needs the JDK only, and runs next to the process of the container:
 *
 * <pre>
 * process STATUS    of each process: its user, its capabilities, and whether it can get new privileges
 * writable PATH     each file or folder that can be written, without what is in such a folder
 * </pre>
 */
final class ContainerProbe {

    private static final Set<String> STATUS = Set.of("Uid:", "CapEff:", "CapBnd:", "NoNewPrivs:");
    private static final Set<Path> OF_THE_KERNEL = Set.of(Path.of("/proc"), Path.of("/sys"));

    private ContainerProbe() {}

    public static void main(String[] args) throws IOException {
        for (ProcessHandle process : ProcessHandle.allProcesses().toList()) {
            StringBuilder line = new StringBuilder("process");
            for (String field : Files.readAllLines(Path.of("/proc/" + process.pid() + "/status"))) {
                if (STATUS.contains(field.split("\t", 2)[0])) {
                    line.append(' ').append(field.replace('\t', ' '));
                }
            }
            System.out.println(line);
        }
        Files.walkFileTree(Path.of("/"), new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                if (OF_THE_KERNEL.contains(folder)) {
                    return FileVisitResult.SKIP_SUBTREE;
                }
                if (Files.isWritable(folder)) {
                    System.out.println("writable " + folder);
                    return FileVisitResult.SKIP_SUBTREE;
                }
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                if (attributes.isRegularFile() && Files.isWritable(file)) {
                    System.out.println("writable " + file);
                }
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException e) {
                return FileVisitResult.CONTINUE; // can't be read, and so not be listed
            }
        });
    }
}
