package io.millrace.config.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.config.binding.ConfigurationException;
import io.millrace.config.binding.ConfigurationFiles;
import io.millrace.config.binding.PipelineReader;
import io.millrace.config.binding.PropertyBinding;
import io.millrace.expression.function.FunctionRegistry;
import io.millrace.pipeline.definition.Problem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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
        return new SetupPlanner(
                        PropertyBinding.bind(environment), PipelineReader.of(environment), FunctionRegistry.empty())
                .plan();
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
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    measure: turnover  | measure: turnovr     | measure   | Unknown measure 'turnovr'. Did you mean 'turnover'?
                    measure: turnover  | title: T             | measure   | Missing value: the name of a measure.
                    measure: turnover  | measure: sides       | measure   | Measure 'sides' is grouped by [buySell, currency1].
                    measure: turnover  | measure: currencies  | table     | Table 'desks' has keys of another type, integer,
                    table: desks       | table: disks         | table     | Unknown table 'disks'. Did you mean 'desks'?
                    table: desks       | latitude: lat        | table     | Missing value: the name of a table.
                    label: name        | latitude: latitud    | latitude  | Unknown field of 'desks': 'latitud'. Did you mean
                    label: name        | longitude: name      | longitude | Invalid field 'name', of type string.
                    label: name        | label: nam           | label     | Unknown field of 'desks': 'nam'. Did you mean 'name'?
                    size: trades       | size: traeds         | size      | Unknown value of measure 'turnover': 'traeds'. Did
                    size: trades       | size: desk           | size      | Unknown value of measure 'turnover': 'desk'.
                    size: trades       | size: first          | size      | Invalid field 'first', of type date.
                    colour: share      | low: 0.5             | colour    | Missing value: a value of measure 'turnover'.
                    colour: share      | high: 0              | low       | Invalid number '0.0'. Use less than 'high'
                    alert: one-sided   | alert: one-side      | alert     | Unknown alert 'one-side' of measure 'turnover'.
                    FOLDER/outline     | FOLDER/outlin        | outline   | File not found: '
                    FOLDER/outline     | classpath:maps/there | outline   | File not found: 'classpath:maps/there.json'.
                    FOLDER/outline     | FOLDER/other         | outline   | is not GeoJSON. Use a FeatureCollection.
                    FOLDER/outline     | FOLDER/cut           | outline   | is not valid JSON.
                    """)
    void shouldReportWhatIsWrong(String good, String bad, String property, String message) {
        int map = GOOD.indexOf("  page:");
        String properties = GOOD.substring(map);
        assertThat(properties).contains(good);
        assertThatThrownBy(() -> plan(GOOD.substring(0, map) + properties.replace(good, bad)))
                .isInstanceOfSatisfying(
                        ConfigurationException.class,
                        e -> assertThat(e.problems())
                                .filteredOn(problem -> problem.property().equals("millrace.page.map." + property))
                                .extracting(Problem::message)
                                .anySatisfy(reported -> assertThat(reported).contains(message)));
    }
}
