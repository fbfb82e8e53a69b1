package io.millrace.store.geode.shared;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.store.write.Commit;
import io.millrace.store.write.Term;
import io.millrace.store.write.WriterName;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Commits next to positions of regions, whose names may be numbers as those of partitions are. */
class StoredCommitsTest {

    private static final Term TRADES = new Term(WriterName.of("trades", 0), true, 1, 1, "token");
    private static final Term OTHERS = new Term(WriterName.of("trades", 10), true, 2, 1, "token");

    private final StoredCommits commits = new StoredCommits(new LocalMap<>());

    private void store(Term term) {
        commits.put(term, new Commit(390, "rules", 1, 0, "feed", false, 390, Map.of("0", 390L, "buys", 390L)));
        commits.setStoredUpTo(term, "0", 400);
        commits.setStoredUpTo(term, "buys", 410);
    }

    @Test
    void shouldForgetWhatIsStoredInARegionAndNothingElse() {
        store(TRADES);
        commits.removeRegion("0", TRADES);
        assertThat(commits.all()).hasSize(1);
        assertThat(commits.get(TRADES.writer()))
                .isEqualTo(
                        new Commit(390, "rules", 1, 0, "feed", false, Commit.UNALIGNED, Map.of("0", 0L, "buys", 390L)));
        assertThat(commits.storedUpTo(TRADES.writer(), "0")).isZero();
        assertThat(commits.storedUpTo(TRADES.writer(), "buys")).isEqualTo(410);
    }

    @Test
    void shouldForgetAWriterAndNoOtherOne() {
        store(TRADES);
        store(OTHERS);
        commits.remove(TRADES);
        assertThat(commits.all()).containsOnlyKeys("trades/10");
        assertThat(commits.storedUpTo(TRADES.writer(), "buys")).isZero();
        assertThat(commits.storedUpTo(OTHERS.writer(), "buys")).isEqualTo(410);
    }

    @Test
    void shouldReturnTheVersionsOfTables() {
        Commit commit =
                new Commit(390, "rules", 1, 0, "feed", true, 390, Map.of("buys", 390L), Map.of("desks", "9c1f0d5e"));
        commits.put(TRADES, commit);
        assertThat(commits.get(TRADES.writer())).isEqualTo(commit);
        assertThat(commit.text()).endsWith("region.buys=390\ntable.desks=9c1f0d5e");
        assertThat(commit.unclean().tables()).isEqualTo(commit.tables());
        assertThat(commit.emptied("buys").tables()).isEqualTo(commit.tables());
    }
}
