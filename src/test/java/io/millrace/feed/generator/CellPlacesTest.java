package io.millrace.feed.generator;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CellPlacesTest {

    @Test
    void shouldMakeTheFileOfTheExamples() throws IOException {
        assertThat(Files.readString(CellPlaces.FILE)).isEqualTo(CellPlaces.csv());
    }

    /** The lines behind the header, as the examples have them. */
    private static List<String[]> cells() throws IOException {
        return Files.readAllLines(CellPlaces.FILE).stream()
                .skip(1)
                .map(line -> line.split(",", -1))
                .toList();
    }

    @Test
    void shouldPlaceEveryCellOnLandAndInItsDistrict() throws IOException {
        IstanbulOutline outline = IstanbulOutline.read();

        assertThat(cells()).allSatisfy(cell -> {
            double latitude = Double.parseDouble(cell[3]);
            double longitude = Double.parseDouble(cell[4]);
            assertThat(outline.in("land", latitude, longitude)).isTrue();
            assertThat(outline.in("water", latitude, longitude)).isFalse();
            assertThat(outline.shapes("district").entrySet())
                    .filteredOn(district -> district.getValue().contains(longitude, latitude))
                    .extracting(Map.Entry::getKey)
                    .containsExactly(cell[1]);
        });
    }

    /** Places that many know, with the coordinates that any map gives: the outline is that of this city. */
    @ParameterizedTest
    @CsvSource({
        "Galata Tower,          41.0257, 28.9741, Beyoglu",
        "Hagia Sophia,          41.0086, 28.9802, Fatih",
        "Taksim,                41.0370, 28.9850, Beyoglu",
        "Kadikoy Square,        40.9923, 29.0250, Kadikoy",
        "Uskudar Square,        41.0266, 29.0160, Uskudar",
        "Buyukada,              40.8600, 29.1200, Adalar",
        "Sabiha Gokcen Airport, 40.8986, 29.3092, Pendik",
        "Istanbul Airport,      41.2610, 28.7420, Arnavutkoy",
        "Sile lighthouse,       41.1750, 29.6163, Sile",
        "Silivri,               41.0750, 28.2460, Silivri"
    })
    void shouldDrawThePlacesThatEverybodyKnows(String place, double latitude, double longitude, String district) {
        assertThat(IstanbulOutline.read().holds(district, latitude, longitude))
                .as(place)
                .isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "middle of the Bosphorus,  41.0900, 29.0600",
        "Golden Horn,              41.0310, 28.9570",
        "between the islands,      40.8880, 29.0500",
        "Marmara,                  40.9000, 28.9000",
        "Black Sea,                41.3500, 29.1000"
    })
    void shouldLeaveTheSeaOpen(String place, double latitude, double longitude) {
        assertThat(IstanbulOutline.read().in("land", latitude, longitude))
                .as(place)
                .isFalse();
    }

    @Test
    void shouldPlaceEveryCellInTheCity() throws IOException {
        List<String[]> cells = cells();

        assertThat(cells).hasSize(AccountingMaker.CELLS).allSatisfy(cell -> {
            assertThat(Double.parseDouble(cell[3])).isBetween(40.80, 41.60);
            assertThat(Double.parseDouble(cell[4])).isBetween(27.95, 29.95);
        });
        assertThat(cells.stream().map(cell -> cell[1]).distinct()).hasSize(39);
        assertThat(cells.stream().map(cell -> cell[2]).distinct()).containsExactlyInAnyOrder("2G", "3G", "4G");
    }
}
