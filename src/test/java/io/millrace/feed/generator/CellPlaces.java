package io.millrace.feed.generator;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * Makes up where the cells of {@link AccountingMaker} stand, as {@code examples/reference/cells.csv} holds it: in real
 * districts of Istanbul, the more of them the more people live there, at random places around the district's middle
 * that are inside of it and on land. The same every time. Anew, behind {@code ./mvnw test-compile}:
 *
 * <pre>java -cp target/test-classes:target/classes io.millrace.feed.generator.CellPlaces</pre>
 */
final class CellPlaces {

    static final Path FILE = Path.of("examples", "reference", "cells.csv");

    private static final int SEED = 34;

    /** In about ten thousands of people, and with a radius in degrees around the middle. */
    private static final List<District> DISTRICTS = List.of(
            new District("Adalar", 2, 40.8620, 29.1210, 0.025),
            new District("Arnavutkoy", 30, 41.1846, 28.7407, 0.080),
            new District("Atasehir", 42, 40.9903, 29.1221, 0.038),
            new District("Avcilar", 44, 41.0010, 28.7180, 0.035),
            new District("Bagcilar", 74, 41.0350, 28.8550, 0.034),
            new District("Bahcelievler", 60, 41.0030, 28.8500, 0.023),
            new District("Bakirkoy", 23, 40.9870, 28.8700, 0.019),
            new District("Basaksehir", 50, 41.0970, 28.8020, 0.060),
            new District("Bayrampasa", 27, 41.0400, 28.9080, 0.019),
            new District("Besiktas", 18, 41.0620, 29.0150, 0.023),
            new District("Beykoz", 25, 41.1300, 29.1250, 0.060),
            new District("Beylikduzu", 40, 41.0010, 28.6410, 0.030),
            new District("Beyoglu", 23, 41.0390, 28.9720, 0.017),
            new District("Buyukcekmece", 26, 41.0330, 28.5600, 0.045),
            new District("Catalca", 7, 41.1430, 28.4610, 0.120),
            new District("Cekmekoy", 28, 41.0400, 29.1850, 0.050),
            new District("Esenler", 44, 41.0440, 28.8720, 0.019),
            new District("Esenyurt", 95, 41.0340, 28.6800, 0.035),
            new District("Eyupsultan", 41, 41.0760, 28.9200, 0.040),
            new District("Fatih", 37, 41.0165, 28.9450, 0.019),
            new District("Gaziosmanpasa", 49, 41.0650, 28.9120, 0.019),
            new District("Gungoren", 28, 41.0220, 28.8730, 0.013),
            new District("Kadikoy", 48, 40.9900, 29.0540, 0.027),
            new District("Kagithane", 44, 41.0820, 28.9740, 0.023),
            new District("Kartal", 47, 40.9150, 29.2050, 0.027),
            new District("Kucukcekmece", 79, 41.0180, 28.7950, 0.030),
            new District("Maltepe", 51, 40.9480, 29.1450, 0.027),
            new District("Pendik", 73, 40.9050, 29.2600, 0.050),
            new District("Sancaktepe", 46, 41.0020, 29.2310, 0.038),
            new District("Sariyer", 34, 41.1500, 29.0250, 0.050),
            new District("Sile", 4, 41.1600, 29.6130, 0.050),
            new District("Silivri", 20, 41.0900, 28.2500, 0.050),
            new District("Sisli", 27, 41.0620, 28.9850, 0.019),
            new District("Sultanbeyli", 34, 40.9680, 29.2620, 0.027),
            new District("Sultangazi", 53, 41.1070, 28.8670, 0.030),
            new District("Tuzla", 27, 40.8650, 29.3180, 0.040),
            new District("Umraniye", 71, 41.0280, 29.1120, 0.034),
            new District("Uskudar", 52, 41.0260, 29.0400, 0.025),
            new District("Zeytinburnu", 29, 40.9980, 28.9030, 0.015));

    private record District(String name, int weight, double latitude, double longitude, double radius) {}

    private CellPlaces() {}

    static void main() throws IOException {
        Files.writeString(FILE, csv());
    }

    static String csv() {
        StringBuilder csv = new StringBuilder("id,district,technology,latitude,longitude\n");
        IstanbulOutline outline = IstanbulOutline.read();
        Draws draws = new Draws(SEED);
        for (int cell = 1; cell <= AccountingMaker.CELLS; cell++) {
            draws.start(cell);
            District district = district(draws);
            double latitude;
            double longitude;
            do {
                double distance = district.radius() * Math.sqrt(draws.unit());
                double direction = 2 * Math.PI * draws.unit();
                latitude = rounded(district.latitude() + distance * StrictMath.sin(direction));
                // A degree of longitude is three quarters of one of latitude there.
                longitude = rounded(district.longitude() + distance * StrictMath.cos(direction) / 0.75);
            } while (!outline.holds(district.name(), latitude, longitude));
            csv.append(String.format(
                    Locale.ROOT, "%d,%s,%s,%.4f,%.4f\n", cell, district.name(), technology(cell), latitude, longitude));
        }
        return csv.toString();
    }

    private static double rounded(double degrees) {
        return Math.round(degrees * 10_000) / 10_000.0;
    }

    private static District district(Draws draws) {
        int left = draws.below(DISTRICTS.stream().mapToInt(District::weight).sum());
        int i = 0;
        while (left >= DISTRICTS.get(i).weight()) {
            left -= DISTRICTS.get(i).weight();
            i++;
        }
        return DISTRICTS.get(i);
    }

    static String technology(int cell) {
        return switch (AccountingMaker.ratOf(cell)) {
            case AccountingMaker.GERAN -> "2G";
            case AccountingMaker.UTRAN -> "3G";
            default -> "4G";
        };
    }
}
