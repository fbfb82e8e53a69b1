package io.millrace.store.geode.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.constantpool.MethodRefEntry;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.apache.geode.distributed.internal.membership.gms.GMSUtil;
import org.junit.jupiter.api.Test;

/** What a clock that jumps does to members is tested by {@code ClockJumpsTest}. */
class MembershipClockTest {

    private static final String PACKAGE = "/org/apache/geode/distributed/internal/membership/";

    /** It only passes the method on, for the pauses between requests of a locator that starts. */
    private static final String LOCATOR = "locator.MembershipLocatorImpl";

    /** A version of Geode in which another class reads the clock must be looked at. */
    @Test
    void shouldKnowEachClassOfTheMembershipThatReadsTheClock() throws Exception {
        Path jar = Path.of(GMSUtil.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        try (FileSystem files = FileSystems.newFileSystem(URI.create("jar:" + jar.toUri()), Map.of());
                Stream<Path> classes = Files.walk(files.getPath(PACKAGE))) {
            List<String> readers = classes.filter(file -> file.toString().endsWith(".class"))
                    .filter(MembershipClockTest::readsTheClock)
                    .map(file -> file.toString()
                            .replace(PACKAGE + "gms/", "")
                            .replace(".class", "")
                            .replace('/', '.'))
                    .toList();
            List<String> known = Stream.concat(
                            Stream.of(LOCATOR),
                            MembershipClock.READERS.stream().flatMap(each -> each.classes().stream()))
                    .toList();
            assertThat(readers).containsExactlyInAnyOrderElementsOf(known);
        }
    }

    private static boolean readsTheClock(Path file) {
        try {
            return StreamSupport.stream(
                            ClassFile.of()
                                    .parse(Files.readAllBytes(file))
                                    .constantPool()
                                    .spliterator(),
                            false)
                    .anyMatch(entry -> entry instanceof MethodRefEntry method
                            && method.name().equalsString("currentTimeMillis"));
        } catch (IOException e) {
            throw new AssertionError(file.toString(), e);
        }
    }

    @Test
    void shouldPassAsTheMonotonicClock() {
        long before = MembershipClock.millis();
        assertThat(before).isCloseTo(System.currentTimeMillis(), within(3_600_000L));
        assertThat(MembershipClock.millis()).isGreaterThanOrEqualTo(before);
    }
}
