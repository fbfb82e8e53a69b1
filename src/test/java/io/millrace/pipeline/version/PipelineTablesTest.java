package io.millrace.pipeline.version;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.millrace.codec.RawBytes;
import io.millrace.pipeline.commit.OutputVersion;
import io.millrace.pipeline.commit.TableCommits;
import io.millrace.store.Store;
import io.millrace.store.geode.shared.LocalMap;
import io.millrace.store.geode.shared.StoredTables;
import io.millrace.store.write.Commit;
import io.millrace.store.write.TableUse;
import io.millrace.store.write.TableVersions;
import io.millrace.store.write.Term;
import io.millrace.store.write.WriterName;
import io.millrace.table.ServedTable;
import io.millrace.table.TableDefinition;
import io.millrace.table.TableReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which rows a term begins with, on nodes with different files. */
class PipelineTablesTest {

    private static final WriterName TRADES = WriterName.of("trades", 0);

    @TempDir
    Path folder;

    private final LocalMap<byte[]> map = new LocalMap<>();

    /** A process with a file of its own. Its table has one row, whose value is the number of the version. */
    private final class Node {

        private final Path file;
        private final ServedTable table;
        private final PipelineTables tables;
        private final TableCommits committed;
        private final TableReader reader;
        private final Map<String, Set<String>> used = new HashMap<>();
        private final TableVersions versions;
        private final Term term;
        private Map<String, OutputVersion.Rows> rows = Map.of();

        Node(String name, int number) {
            this(name, number, TRADES, new StoredTables(map, Long.MAX_VALUE, true), true);
        }

        Node(String name, int number, WriterName writer, TableVersions versions, boolean replayable) {
            this.versions = versions;
            file = folder.resolve(name + ".csv");
            write(number);
            table = ServedTable.load(new TableDefinition("desks", file.toString(), "id", null, null));
            Store store = (Store) Proxy.newProxyInstance(
                    Store.class.getClassLoader(), new Class<?>[] {Store.class}, (_, method, _) -> {
                        assertThat(method.getName()).isEqualTo("tableVersions");
                        return versions;
                    });
            tables = new PipelineTables(writer, name, replayable, true, false, store);
            committed = new TableCommits(store);
            reader = tables.collecting(used).reader(table, List.of("value"));
            term = new Term(writer, true, 1, 1, "token");
        }

        private void write(int number) {
            try {
                Files.writeString(file, "id,value\n1," + number + "\n");
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        void load(int number) {
            write(number);
            table.reload();
        }

        /** The number in the row that the steps find. */
        long value() {
            long[] found = new long[1];
            assertThat(reader.find(new long[] {1}, 1, found)).isZero();
            int offset = Objects.requireNonNull(table.schema().field("value")).offset();
            byte[] bytes =
                    reader.memory().asSlice(found[0] + offset, Long.BYTES).toArray(ValueLayout.JAVA_BYTE);
            return RawBytes.getLong(bytes, 0);
        }

        Commit begin(@Nullable Commit last) {
            rows = tables.begin(last, used);
            committed.begin(last);
            return commit(last == null ? 0 : last.position(), false);
        }

        /** Begins, stores a commit of a clean stop, and is killed before it can store anything else. */
        Commit beginAndStopKilled(@Nullable Commit last) {
            rows = tables.begin(last, used);
            committed.begin(last);
            committed.before(term, version());
            return commitOf(version(), last == null ? 0 : last.position(), true);
        }

        Commit change(long position) {
            assertThat(tables.haveChanged(used)).isTrue();
            rows = tables.change(used);
            return commit(position, false);
        }

        Commit commit(long position, boolean clean) {
            committed.before(term, version());
            committed.after(term, version(), position);
            tables.began(term, used);
            return commitOf(version(), position, clean);
        }

        private OutputVersion version() {
            return new OutputVersion(1, "rules", Set.of(), Map.of(), rows);
        }

        private static Commit commitOf(OutputVersion version, long position, boolean clean) {
            return new Commit(
                    position, "rules", 1, 0, "", clean, Commit.UNALIGNED, Map.of(), TableCommits.versions(version));
        }

        boolean waits() {
            return tables.haveChanged(used);
        }
    }

    @Test
    void shouldReadTheSameRowsUntilTheyChange() {
        Node node = new Node("one", 1);
        node.begin(null);
        node.load(2);
        assertThat(node.value()).isEqualTo(1);
        node.change(390);
        assertThat(node.value()).isEqualTo(2);
        assertThat(node.waits()).isFalse();
        assertThat(node.versions.uses(TRADES, "desks"))
                .extracting(TableUse::since)
                .containsExactly(0L, 390L);
    }

    @Test
    void shouldNotChangeWhenTheFileIsReloadedWithTheSameRows() {
        Node node = new Node("one", 1);
        node.begin(null);
        node.load(1);
        assertThat(node.waits()).isFalse();
        node.load(2);
        node.load(1);
        assertThat(node.waits()).isFalse();
    }

    @Test
    void shouldTakeOverWithTheRowsOfTheCommitAndChangeToNewOnesOfItsFile() {
        Commit last = new Node("one", 1).begin(null);
        Node other = new Node("two", 2);
        other.begin(last);
        assertThat(other.value()).isEqualTo(1);
        other.change(390);
        assertThat(other.value()).isEqualTo(2);
    }

    @Test
    void shouldTakeOverWithTheRowsOfTheCommitAndKeepThemIfItsFileIsOutdated() {
        Node one = new Node("one", 1);
        one.begin(null);
        one.load(2);
        Commit last = one.change(390);
        Node stale = new Node("two", 1);
        stale.begin(last);
        assertThat(stale.value()).isEqualTo(2);
        assertThat(stale.waits()).isFalse();
        // Nor after a clean stop.
        last = stale.commit(780, true);
        Node again = new Node("two", 1);
        again.begin(last);
        assertThat(again.value()).isEqualTo(2);
        assertThat(again.waits()).isFalse();
        // A file that is loaded while it runs is what the operator wants.
        again.load(1);
        again.load(3);
        again.change(1170);
        assertThat(again.value()).isEqualTo(3);
    }

    /** What is stored after a commit may be missing: the rows that it names were used all the same. */
    @Test
    void shouldNotGoBackToRowsOfACommitAfterWhichTheProcessWasKilled() {
        Commit stopped = new Node("one", 1).beginAndStopKilled(null);
        Node two = new Node("two", 2);
        Commit taken = two.begin(stopped);
        assertThat(two.value()).isEqualTo(2);

        Node again = new Node("one", 1);
        again.begin(taken);
        assertThat(again.value()).isEqualTo(2);
        assertThat(again.waits()).isFalse();
        assertThat(again.versions.uses(TRADES, "desks")).hasSize(2);
    }

    /** Two in a row. */
    @Test
    void shouldNotGoBackToRowsOfAnyOfTwoCommitsAfterWhichTheProcessWasKilled() {
        Commit first = new Node("one", 1).beginAndStopKilled(null);
        Commit second = new Node("two", 2).beginAndStopKilled(first);
        Commit third = new Node("three", 3).begin(second);

        for (String name : List.of("one", "two")) {
            Node again = new Node(name, name.equals("one") ? 1 : 2);
            third = again.begin(third);
            assertThat(again.value()).isEqualTo(3);
            assertThat(again.waits()).isFalse();
        }
    }

    @Test
    void shouldGoBackToEarlierRowsIfTheInstanceHadTheNewestOnes() {
        Node one = new Node("one", 1);
        one.begin(null);
        one.load(2);
        Commit last = one.change(390);
        Node restarted = new Node("one", 1);
        restarted.begin(last);
        assertThat(restarted.value()).isEqualTo(2);
        restarted.change(780);
        assertThat(restarted.value()).isEqualTo(1);
    }

    @Test
    void shouldChangeToTheFileAfterARestartThoughTheProcessWasKilledBeforeItDid() {
        Commit last = new Node("one", 1).begin(null);
        new Node("one", 2).begin(last); // killed before it changes
        Node restarted = new Node("one", 2);
        restarted.begin(last);
        assertThat(restarted.value()).isEqualTo(1);
        restarted.change(390);
        assertThat(restarted.value()).isEqualTo(2);
    }

    @Test
    void shouldBeginWithItsFileInAFolderOfItsOwnAfterACleanStop() {
        TableVersions alone = new StoredTables(map, Long.MAX_VALUE, false);
        Node one = new Node("one", 1, TRADES, alone, true);
        one.begin(null);
        one.load(2);
        one.change(390);
        Commit last = one.commit(390, true);
        // Whatever its instance is called.
        Node restarted = new Node("two", 1, TRADES, alone, true);
        restarted.begin(last);
        assertThat(restarted.value()).isEqualTo(1);
        assertThat(restarted.waits()).isFalse();
    }

    @Test
    void shouldReturnToTheRowsOfTheCommitInTheSameProcess() {
        Node node = new Node("one", 1);
        Commit last = node.begin(null);
        node.load(2);
        assertThat(node.waits()).isTrue();
        node.rows = node.tables.change(node.used); // the term ends before the commit
        node.begin(last);
        assertThat(node.value()).isEqualTo(1);
        node.change(390);
        assertThat(node.value()).isEqualTo(2);
    }

    @Test
    void shouldReturnToTheRowsOfTheCommitAlthoughTheyAreNotStored() {
        Node node = new Node("one", 1, TRADES, new StoredTables(map, 0, false), true);
        Commit last = node.begin(null);
        node.load(2);
        assertThat(node.waits()).isTrue();
        node.rows = node.tables.change(node.used); // the term ends before the commit
        node.load(3);
        node.begin(last);
        assertThat(node.value()).isEqualTo(1);
        last = node.change(390);
        assertThat(node.value()).isEqualTo(3);
        node.begin(last);
        assertThat(node.value()).isEqualTo(3);
    }

    @Test
    void shouldStoreTheRowsOfTheLastCommitOnlyForEachPipeline() {
        Node one = new Node("one", 1);
        one.begin(null);
        WriterName other = WriterName.of("other", 0);
        Node two = new Node("two", 1, other, one.versions, true);
        Commit last = two.begin(null);
        one.load(2);
        Commit next = one.change(390);
        String first = Objects.requireNonNull(last.tables().get("desks"));
        String second = Objects.requireNonNull(next.tables().get("desks"));
        assertThat(one.versions.bytes(TRADES, "desks", first)).isEqualTo(-1);
        assertThat(one.versions.bytes(TRADES, "desks", second)).isPositive();
        assertThat(two.versions.bytes(other, "desks", first)).isPositive();
    }

    @Test
    void shouldRefuseToTakeOverIfTheRowsWereTooLargeToStore() {
        TableVersions small = new StoredTables(map, 64, true);
        Commit last = new Node("one", 1, TRADES, small, true).begin(null);
        Node same = new Node("two", 1, TRADES, small, true);
        same.begin(last);
        assertThat(same.value()).isEqualTo(1);
        Node other = new Node("three", 2, TRADES, small, true);
        assertThatIllegalStateException()
                .isThrownBy(() -> other.begin(last))
                .withMessageContaining("version " + last.tables().get("desks"))
                .withMessageEndingWith("[changed-table]");
        other.begin(new Commit(0, "rules", 1, 0, "", true, Commit.UNALIGNED, Map.of(), last.tables()));
        assertThat(other.value()).isEqualTo(2);
    }

    @Test
    void shouldStoreNothingForAFeedThatIsNotReplayed() {
        Node node = new Node("one", 1, TRADES, new StoredTables(map, Long.MAX_VALUE, true), false);
        node.rows = node.tables.begin(null, node.used);
        node.tables.began(node.term, node.used);
        node.load(2);
        assertThat(node.waits()).isTrue();
        node.rows = node.tables.change(node.used);
        node.tables.began(node.term, node.used);
        assertThat(node.value()).isEqualTo(2);
        assertThat(map.keys()).isEmpty();
    }
}
