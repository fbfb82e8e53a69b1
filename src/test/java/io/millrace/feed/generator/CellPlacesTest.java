package io.millrace.feed.generator;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.Test;

class CellPlacesTest {

    @Test
    void shouldMakeTheFileOfTheExamples() throws IOException {
        assertThat(Files.readString(CellPlaces.FILE)).isEqualTo(CellPlaces.csv());
    }

    @Test
    void shouldPlaceEveryCellInTheCity() {
        List<String[]> cells = CellPlaces.csv()
                .lines()
                .skip(1)
                .map(line -> line.split(",", -1))
                .toList();

        assertThat(cells).hasSize(AccountingMaker.CELLS).allSatisfy(cell -> {
            assertThat(Double.parseDouble(cell[3])).isBetween(40.80, 41.60);
            assertThat(Double.parseDouble(cell[4])).isBetween(27.95, 29.95);
        });
        assertThat(cells.stream().map(cell -> cell[1]).distinct()).hasSize(39);
        assertThat(cells.stream().map(cell -> cell[2]).distinct()).containsExactlyInAnyOrder("2G", "3G", "4G");
    }
}
