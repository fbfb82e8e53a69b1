package io.millrace.documentation;

import static org.assertj.core.api.Assertions.assertThat;

import daybook.DayBook;
import daybook.Order;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/**
 * The Java that {@code docs/guides/day-book.md} shows is the one between the two marks below, and does what the page
 * says.
 */
class DayBookPageTest {

    private static final Path SOURCE = Path.of("src/test/java/io/millrace/documentation/DayBookPageTest.java");
    private static final String BEGIN = "        // shown\n";
    private static final String END = "        // until here\n";

    @Test
    void shouldComeToWhatThePageSays() {
        // shown
        try (DayBook book = new DayBook()) {
            book.order(1001, 300, 12_50, true); // ticket, amount, price in hundredths, buys
            book.order(1002, 100, 80_00, false);
            book.append(new int[] {1001, 1003}, new int[] {50, 70}, new int[] {12_60, 3_10}, new boolean[2], 0, 2);

            long orders = book.count(); // 4
            BigInteger all = book.dayBalance(); // -509700
            BigInteger one = book.balance(1001); // 312000
            Order second = book.get(1); // Order[ticket=1002, amount=100, price=8000, buy=false]

            book.clear(); // the next day, in the same memory
            // until here
            assertThat(orders).isEqualTo(4);
            assertThat(all).isEqualTo(-509_700);
            assertThat(one).isEqualTo(312_000);
            assertThat(second).hasToString("Order[ticket=1002, amount=100, price=8000, buy=false]");
            assertThat(book.count()).isZero();
        }
    }

    @Test
    void shouldBeWhatThePageShows() throws IOException {
        String source = Files.readString(SOURCE);
        String shown = source.substring(
                source.indexOf(BEGIN) + BEGIN.length(), source.indexOf("    " + END, source.indexOf(BEGIN)));

        assertThat(Page.read(Path.of("docs/guides/day-book.md")).text())
                .contains("```java\n" + shown.stripTrailing().stripIndent() + "\n}\n```");
    }
}
