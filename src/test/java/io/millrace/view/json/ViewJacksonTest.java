package io.millrace.view.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.millrace.schema.Schema;
import io.millrace.schema.yaml.SchemaReader;
import io.millrace.view.FrameworkSupport;
import io.millrace.view.Order;
import io.millrace.view.RecordViews;
import io.millrace.view.access.BinaryView;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.DatabindException;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;
import tools.jackson.databind.json.JsonMapper;

/** Naming, inclusion and annotations of Jackson on views, with and without the module. */
@SuppressWarnings("NullAway.Init") // set after construction
class ViewJacksonTest {

    private static final Schema SCHEMA = SchemaReader.read("visit.yml", """
            schema: visit
            layout: compact
            fields:
              - { name: visitId, type: i64 }
              - { name: firstDay, type: date, optional: true }
              - { name: pinCode, type: string, length: 8, optional: true }
            """.getBytes(StandardCharsets.UTF_8));

    /** A class without annotations. */
    static class Visit {
        private long visitId;
        private @Nullable LocalDate firstDay;
        private @Nullable String pinCode;

        public long getVisitId() {
            return visitId;
        }

        public void setVisitId(long visitId) {
            this.visitId = visitId;
        }

        public @Nullable LocalDate getFirstDay() {
            return firstDay;
        }

        public void setFirstDay(@Nullable LocalDate firstDay) {
            this.firstDay = firstDay;
        }

        public @Nullable String getPinCode() {
            return pinCode;
        }

        public void setPinCode(@Nullable String pinCode) {
            this.pinCode = pinCode;
        }
    }

    /** Names in snake case, no null values, a date in another form, and a secret. */
    @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
    @JsonInclude(JsonInclude.Include.NON_NULL)
    static class AnnotatedVisit {
        private long visitId;

        @JsonFormat(pattern = "dd.MM.yyyy")
        private @Nullable LocalDate firstDay;

        @JsonIgnore
        private @Nullable String pinCode;

        public long getVisitId() {
            return visitId;
        }

        public void setVisitId(long visitId) {
            this.visitId = visitId;
        }

        public @Nullable LocalDate getFirstDay() {
            return firstDay;
        }

        public void setFirstDay(@Nullable LocalDate firstDay) {
            this.firstDay = firstDay;
        }

        public @Nullable String getPinCode() {
            return pinCode;
        }

        public void setPinCode(@Nullable String pinCode) {
            this.pinCode = pinCode;
        }
    }

    /** An interface with a secret. */
    interface SecretVisit {
        long getVisitId();

        @JsonIgnore
        String getPinCode();

        void setPinCode(String pinCode);
    }

    /** Annotations for {@link Visit}. */
    @JsonIgnoreProperties("pinCode")
    interface VisitMixin {}

    /** A class whose fields Jackson would read. */
    @JsonAutoDetect(fieldVisibility = JsonAutoDetect.Visibility.ANY)
    static class VisibleVisit {
        private long visitId;

        public long getVisitId() {
            return visitId;
        }
    }

    /** A holder that leaves out a property of a view. */
    record Holder(@JsonIgnoreProperties("pinCode") Visit visit) {}

    static List<Consumer<JsonMapper.Builder>> settings() {
        return List.of(
                builder -> builder.propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE),
                builder -> builder.changeDefaultPropertyInclusion(
                        inclusion -> inclusion.withValueInclusion(JsonInclude.Include.NON_NULL)),
                builder -> builder.addMixIn(Visit.class, VisitMixin.class));
    }

    private static Visit visit() {
        Visit visit = new Visit();
        visit.setVisitId(7);
        visit.setPinCode("1234");
        return visit;
    }

    @ParameterizedTest
    @MethodSource("settings")
    @FrameworkSupport(
            tool = "Jackson: naming strategy, default inclusion, mixins",
            works = "as for objects, with and without `RecordViewModule`; reads views of a class with the module",
            otherwise = "Reading to an interface is refused")
    void shouldFollowSettingsOfTheMapper(Consumer<JsonMapper.Builder> settings) {
        RecordViews<Visit> views = RecordViews.of(Visit.class, SCHEMA);
        JsonMapper.Builder builder = JsonMapper.builder();
        settings.accept(builder);
        JsonMapper plain = builder.build();
        JsonMapper withModule =
                plain.rebuild().addModule(new RecordViewModule(views)).build();
        String expected = plain.writeValueAsString(visit());
        Visit view = views.view(visit());

        assertThat(plain.writeValueAsString(view)).isEqualTo(expected);
        assertThat(withModule.writeValueAsString(view)).isEqualTo(expected);
        assertThat(withModule.readValue(expected, Visit.class))
                .isEqualTo(views.view(plain.readValue(expected, Visit.class)))
                .isInstanceOf(BinaryView.class);
    }

    @Test
    @FrameworkSupport(
            tool = "Jackson: `@JsonNaming`, `@JsonInclude`, `@JsonFormat`, `@JsonIgnore` and other annotations",
            works = "as for objects, with and without `RecordViewModule`; reads views of a class with the module",
            otherwise = "Reading to an interface is refused")
    void shouldFollowAnnotations() {
        RecordViews<AnnotatedVisit> views = RecordViews.of(AnnotatedVisit.class, SCHEMA);
        AnnotatedVisit visit = new AnnotatedVisit();
        visit.setVisitId(7);
        visit.setPinCode("1234");
        JsonMapper withModule =
                JsonMapper.builder().addModule(new RecordViewModule(views)).build();
        for (LocalDate day : Arrays.asList(null, LocalDate.of(2026, 11, 28))) {
            visit.setFirstDay(day);
            String expected = new JsonMapper().writeValueAsString(visit);
            assertThat(expected).doesNotContain("1234");
            assertThat(new JsonMapper().writeValueAsString(views.view(visit))).isEqualTo(expected);
            assertThat(withModule.writeValueAsString(views.view(visit))).isEqualTo(expected);
            assertThat(withModule.readValue(expected, AnnotatedVisit.class).getFirstDay())
                    .isEqualTo(day);
        }

        RecordViews<SecretVisit> secrets = RecordViews.of(SecretVisit.class, SCHEMA);
        JsonMapper ofSecrets =
                JsonMapper.builder().addModule(new RecordViewModule(secrets)).build();
        SecretVisit secret = secrets.create();
        secret.setPinCode("1234");
        assertThat(ofSecrets.writeValueAsString(secret)).isEqualTo("{\"visitId\":0}");
        assertThatExceptionOfType(DatabindException.class)
                .isThrownBy(() -> ofSecrets.readValue("{\"visitId\":0}", SecretVisit.class))
                .withMessageContaining("Jackson has settings for " + SecretVisit.class.getName());
    }

    @Test
    @FrameworkSupport(
            tool = "Jackson: no settings",
            works = "without the module, by the getters as for objects; with it, all fields in the form of the schema",
            otherwise = "Without the module, reading to an interface is refused by Jackson, and reading to a class"
                    + " returns an object: pass it to `views.view`")
    void shouldWriteTheFormOfTheSchemaWithTheModule() {
        RecordViews<Visit> views = RecordViews.of(Visit.class, SCHEMA);
        JsonMapper withModule =
                JsonMapper.builder().addModule(new RecordViewModule(views)).build();
        JsonMapper plain = new JsonMapper();
        Visit view = views.view(visit());
        String json = "{\"visitId\":7,\"firstDay\":null,\"pinCode\":\"1234\"}";

        assertThat(withModule.writeValueAsString(view)).isEqualTo(json);
        assertThat(plain.readTree(plain.writeValueAsString(view))).isEqualTo(plain.readTree(json));
        assertThat(withModule.readValue(json, Visit.class)).isEqualTo(view);
        assertThat(views.view(plain.readValue(json, Visit.class))).isEqualTo(view);
        assertThatExceptionOfType(DatabindException.class).isThrownBy(() -> plain.readValue(json, Order.class));
    }

    @Test
    @FrameworkSupport(
            tool =
                    "Jackson: `@JsonAutoDetect`, overrides of a class, `@JsonIgnoreProperties` on a property that holds a"
                            + " view",
            works = "",
            otherwise = "Refused by `RecordViewModule`. Without it, visible fields are written as null or zero, and"
                    + " overrides are not used. Use annotations on getters and on the type, or mixins")
    void shouldRefuseSettingsThatNeedFields() {
        RecordViews<VisibleVisit> views = RecordViews.of(VisibleVisit.class, SCHEMA);
        RecordViews<Visit> visits = RecordViews.of(Visit.class, SCHEMA);
        JsonMapper mapper = JsonMapper.builder()
                .addModule(new RecordViewModule(views, visits))
                .build();
        VisibleVisit view = views.create();
        assertThatExceptionOfType(RuntimeException.class)
                .isThrownBy(() -> mapper.writeValueAsString(view))
                .withMessageContaining("Jackson may use fields, which views do not use.");
        JsonMapper overridden = mapper.rebuild()
                .withConfigOverride(
                        Visit.class,
                        each -> each.setIgnorals(JsonIgnoreProperties.Value.forIgnoredProperties("pinCode")))
                .build();
        assertThatExceptionOfType(RuntimeException.class)
                .isThrownBy(() -> overridden.writeValueAsString(visits.view(visit())))
                .withMessageContaining("Use annotations or a mixin.");
        assertThatExceptionOfType(DatabindException.class)
                .isThrownBy(() -> mapper.writeValueAsString(new Holder(visits.view(visit()))))
                .withMessageContaining("Put the annotation on the type of the view.");
    }
}
