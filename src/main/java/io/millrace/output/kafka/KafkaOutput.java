package io.millrace.output.kafka;

import static io.millrace.schema.ProblemCode.SCHEMA_MISMATCH;

import io.millrace.codec.text.CsvException;
import io.millrace.codec.text.format.RecordFormat;
import io.millrace.expression.error.ExpressionException;
import io.millrace.extension.ConnectionCheck;
import io.millrace.extension.PropertyCheck;
import io.millrace.kafka.KafkaConnection;
import io.millrace.kafka.TopicProbe;
import io.millrace.output.OutputContext;
import io.millrace.output.OutputDefinition;
import io.millrace.output.OutputWriter;
import io.millrace.schema.Schema;
import io.millrace.store.reject.Reject;
import java.io.IOException;
import java.io.OutputStream;

/**
 * A topic of Kafka, to which each partition of each pipeline writes with a producer of its own.
 *
 * @param form of its messages
 */
record KafkaOutput(KafkaConnection connection, MessageForm form) implements OutputDefinition {

    @Override
    public String describe() {
        return "topic " + form.topic() + " of " + connection;
    }

    @Override
    public void check(Schema schema, PropertyCheck check) {
        checkFormat(schema, check);
        String key = form.key();
        if (key != null) {
            try {
                MessageKeys.of(schema, key);
            } catch (ExpressionException e) {
                check.report("key", String.valueOf(e.getMessage()));
            }
        }
    }

    private void checkFormat(Schema schema, PropertyCheck check) {
        String layout = schema.layout().name();
        boolean varies = schema.layout().variesInLength();
        if (form.format() == KafkaFormat.DEAD_LETTER) {
            if (schema.fingerprint() != Reject.SCHEMA.fingerprint()) {
                check.problem(
                        SCHEMA_MISMATCH, "format", "Only rejects can be written as dead-letter. Use another format.");
            }
        } else if (varies && schema.recordLength() > schema.foundLength()) {
            check.problem(
                    SCHEMA_MISMATCH,
                    "",
                    "Topics can't contain fields that steps add to records of the layout '" + layout
                            + "'. Send these records to a region.");
        } else if (varies && form.format() == KafkaFormat.BATCH) {
            check.problem(
                    SCHEMA_MISMATCH,
                    "format",
                    "Records of the layout '" + layout + "' vary in length. Use format: "
                            + (schema.layout().nests() ? "record or json." : "json."));
        } else if (varies
                && form.format() == KafkaFormat.RECORD
                && !schema.layout().nests()) {
            check.problem(
                    SCHEMA_MISMATCH,
                    "format",
                    "Records of the layout '" + layout + "' can only be written as json. Use format: json.");
        } else if (form.format() == KafkaFormat.JSON) {
            try {
                RecordFormat.JSON.writer(schema.stored(), OutputStream.nullOutputStream());
            } catch (CsvException e) {
                e.problems().forEach(problem -> check.report("format", problem));
            }
        }
    }

    @Override
    public void connect(ConnectionCheck check) throws IOException {
        new TopicProbe(connection, form.topic(), check).write();
    }

    @Override
    public OutputWriter create(OutputContext context) {
        String id = "millrace-" + context.output() + "-" + context.name();
        return new KafkaOutputWriter(form, new TransactionalProducer(connection, form.topic(), id), context);
    }
}
