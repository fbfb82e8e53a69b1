package io.millrace.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.expression.FunctionRegistry;
import io.millrace.pipeline.definition.Problem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.core.env.ConfigurableEnvironment;

class MapPlannerTest {

    private static final String GOOD = """
            millrace:
              tables:
                desks: { file: FOLDER/desks.csv, key: id }
              pipelines:
                trades:
                  schema: trade
                  steps:
                    - measure:
                        name: turnover
                        by: id % 2 as desk
                        every: 10s
                        values: { trades: count(), first: min(tradeDate), share: count(buySell == 'Buy') / count() }
                        alerts: { one-sided: { when: share > 0.9 } }
                    - measure: { name: sides, by: [buySell, currency1], every: 10s, values: { trades: count() } }
                    - measure: { name: currencies, by: currency1, every: 10s, values: { trades: count(), share: rate() } }
                    - to: channel:nowhere
              page:
                map:
                  measure: turnover
                  table: desks
                  label: name
                  size: trades
                  colour: share
                  alert: one-sided
                  outline: FOLDER/outline.json
            """;

    @TempDir
    Path folder;

    @BeforeEach
    void writeFiles() throws IOException {
        Files.writeString(folder.resolve("desks.csv"), "id,name,latitude,longitude\n0,A,1.5,2.5\n1,B,3.5,4.5\n");
        Files.writeString(folder.resolve("outline.json"), "{\"type\":\"FeatureCollection\",\"features\":[]}");
        Files.writeString(folder.resolve("other.json"), "[]");
        Files.writeString(folder.resolve("cut.json"), "{\"type\":");
    }

    private Setup plan(String configuration) throws IOException {
        Path file = Files.writeString(folder.resolve("config.yml"), configuration.replace("FOLDER", folder.toString()));
        ConfigurableEnvironment environment = ConfigurationFiles.load(List.of(file));
        return new SetupPlanner(PropertyBinding.bind(environment), FunctionRegistry.empty(), Set.of()).plan();
    }

    @Test
    void shouldKnowEverythingThatTheMapNames() throws IOException {
        assertThat(plan(GOOD).map()).isNotNull().satisfies(map -> {
            assertThat(map.pipeline()).isEqualTo("trades");
            assertThat(map.key()).isEqualTo("desk");
            assertThat(map.latitude()).isEqualTo("latitude");
            assertThat(map.title()).isEqualTo("Map");
            assertThat(map.high()).isEqualTo(1);
            assertThat(map.outline()).isNotNull();
        });
        assertThat(plan(GOOD.substring(0, GOOD.indexOf("  page:"))).map()).isNull();
        assertThat(plan(GOOD.replace("millrace:\n", "millrace:\n  role: SERVER\n"))
                        .map())
                .isNull();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    measure: turnover  | measure: turnovr     | measure   | =turnovr is not defined, did you mean turnover?
                    measure: turnover  | title: T             | measure   | is missing: the name of a measure
                    measure: turnover  | measure: sides       | measure   | =sides is by [buySell, currency1]: that of a map is
                    measure: turnover  | measure: currencies  | table     | =desks has keys of type IntegerType
                    table: desks       | table: disks         | table     | =disks is not defined, did you mean desks?
                    table: desks       | latitude: lat        | table     | is missing: the name of a table
                    label: name        | latitude: latitud    | latitude  | =latitud is not a field of desks, did you mean lat
                    label: name        | longitude: name      | longitude | =name is no number: it is StringType
                    label: name        | label: nam           | label     | =nam is not a field of desks, did you mean name?
                    size: trades       | size: traeds         | size      | =traeds is not a value of measure turnover, did you
                    size: trades       | size: desk           | size      | =desk is not a value of measure turnover
                    size: trades       | size: first          | size      | =first is no number: it is DateType
                    colour: share      | low: 0.5             | colour    | is missing: a value of measure turnover
                    colour: share      | high: 0              | low       | =0.0 is not below high=0.0
                    alert: one-sided   | alert: one-side      | alert     | =one-side is not one of measure turnover, did you
                    FOLDER/outline     | FOLDER/outlin        | outline   | can't be read: java.nio.file.NoSuchFileException
                    FOLDER/outline     | classpath:maps/there | outline   | can't be read: java.io.IOException: no such resource
                    FOLDER/outline     | FOLDER/other         | outline   | is no FeatureCollection of GeoJSON
                    FOLDER/outline     | FOLDER/cut           | outline   | is no JSON: Unexpected end-of-input
                    """)
    void shouldTellWhatIsWrong(String good, String bad, String property, String message) {
        int map = GOOD.indexOf("  page:");
        String properties = GOOD.substring(map);
        assertThat(properties).contains(good);
        assertThatThrownBy(() -> plan(GOOD.substring(0, map) + properties.replace(good, bad)))
                .isInstanceOfSatisfying(
                        ConfigurationException.class,
                        e -> assertThat(e.problems())
                                .filteredOn(problem -> problem.property().equals("millrace.page.map." + property))
                                .extracting(Problem::message)
                                .anySatisfy(told -> assertThat(told).contains(message)));
    }
}
