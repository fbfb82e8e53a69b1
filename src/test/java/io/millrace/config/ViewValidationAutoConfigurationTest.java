package io.millrace.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.schema.Schema;
import io.millrace.schema.yaml.SchemaReader;
import io.millrace.view.RecordViews;
import jakarta.validation.Validator;
import jakarta.validation.constraints.Min;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.validation.autoconfigure.ValidationAutoConfiguration;

/** The validator of a Spring Boot application, and views of a class with constraints on fields. */
class ViewValidationAutoConfigurationTest {

    /** A class with a constraint on a field. */
    static class Ticket {
        @Min(3)
        private long id;

        public long getId() {
            return id;
        }

        public void setId(long id) {
            this.id = id;
        }
    }

    @Test
    void shouldConfigureTheValidatorForViews() {
        Schema schema = SchemaReader.read("ticket.yml", """
                schema: ticket
                fields:
                  - { name: id, type: i64 }
                """.getBytes(StandardCharsets.UTF_8));
        RecordViews<Ticket> views = RecordViews.of(Ticket.class, schema);
        Ticket ticket = views.create();
        ticket.setId(3);
        new ApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(ValidationAutoConfiguration.class, ViewValidationAutoConfiguration.class))
                .run(context -> {
                    Validator validator = context.getBean(Validator.class);
                    assertThat(validator.validate(ticket)).isEmpty();
                    ticket.setId(2);
                    assertThat(validator.validate(ticket)).hasSize(1);
                });
    }
}
