package io.millrace.corpus;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.TestBudget;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;
import org.springframework.util.FileSystemUtils;

/**
 * Absent values, the zero and the extremes of each type, and the values that stand for absent elsewhere: every place
 * that evaluates expressions answers as stock SpEL does of the records themselves, aggregates them as SQL does, and
 * orders them as Java does.
 *
 * <p>{@code -Dmillrace.rounds=N} repeats each property with other seeds, {@code -Dmillrace.seed=N} begins with another
 * one.
 */
class CorpusTest {

    private static final String SEED = "20261126";
    private static final int ROUNDS = Integer.getInteger("millrace.rounds", 1);
    private static final long SHIFT = Long.getLong("millrace.seed", 0);
    private static final long ROUND_STEP = 0x9E3779B97F4A7C15L;
    private static final int RECORDS = 30;
    private static final int EXPRESSIONS = 4;

    private static final CaseCounts COUNTS = new CaseCounts();

    @SuppressWarnings("NullAway.Init") // made before all tests
    private static Path folder;

    @BeforeContainer
    static void makeFolder() throws IOException {
        folder = Files.createTempDirectory("corpus");
    }

    @AfterContainer
    static void deleteFolder() {
        FileSystemUtils.deleteRecursively(folder.toFile());
    }

    @AfterContainer
    static void shouldHaveComparedMuch() {
        if (ROUNDS > 1) {
            System.out.println(COUNTS);
        }
        COUNTS.requireAtLeast(TestBudget.of(200) * ROUNDS);
    }

    private static void rounds(long seed, Consumer<Random> check) {
        for (int round = 0; round < ROUNDS; round++) {
            check.accept(new Random(seed ^ SHIFT ^ round * ROUND_STEP));
        }
    }

    private static List<Place> places(Random random, CorpusRecords records) {
        List<Place> places = new ArrayList<>(StorePlace.all(random, records));
        places.add(TableFiles.place(random, records, folder));
        places.addAll(PipelinePlace.all(random, records));
        places.addAll(ViewPlace.all(records));
        places.addAll(MeasurePlace.all(records));
        return places;
    }

    private static CorpusCheck check(Random random, boolean largest) {
        CorpusRecords records = CorpusRecords.random(random, CorpusField.random(random), RECORDS, largest);
        return new CorpusCheck(random, records, places(random, records), COUNTS);
    }

    @Property(tries = 100, seed = SEED)
    void shouldAnswerAsStockSpelDoes(@ForAll long seed) {
        rounds(seed, random -> {
            CorpusCheck check = check(random, false);
            for (int i = 0; i < EXPRESSIONS; i++) {
                check.condition();
            }
        });
    }

    @Property(tries = 100, seed = SEED)
    void shouldComputeAsStockSpelDoes(@ForAll long seed) {
        rounds(seed, random -> {
            CorpusCheck check = check(random, false);
            for (int i = 0; i < EXPRESSIONS; i++) {
                check.value();
            }
        });
    }

    @Property(tries = 100, seed = SEED)
    void shouldAggregateAsSqlDoes(@ForAll long seed) {
        rounds(seed, random -> {
            CorpusCheck check = check(random, false);
            for (int i = 0; i < EXPRESSIONS; i++) {
                check.aggregates();
            }
        });
    }

    @Property(tries = 100, seed = SEED)
    void shouldOrderAsJavaDoes(@ForAll long seed) {
        rounds(seed, random -> check(random, true).orders());
    }

    @Property(tries = 100, seed = SEED)
    void shouldConvertWithoutLoss(@ForAll long seed) {
        rounds(seed, random -> {
            CorpusRecords records = CorpusRecords.random(random, CorpusField.random(random), RECORDS, true);
            for (Conversion conversion : Conversion.all(records)) {
                assertThat(conversion.values())
                        .as(conversion + ": " + records.fixed().text())
                        .isEqualTo(conversion.expected(records.values()));
                COUNTS.add(conversion, records.schema().names().size(), false);
            }
        });
    }
}
