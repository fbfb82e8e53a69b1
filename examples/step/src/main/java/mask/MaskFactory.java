package mask;

import io.millrace.codec.BatchField;
import io.millrace.codec.StringCodec;
import io.millrace.extension.PropertyCheck;
import io.millrace.pipeline.step.PlanContext;
import io.millrace.pipeline.step.StepDefinition;
import io.millrace.pipeline.step.StepFactory;
import io.millrace.pipeline.step.StepPlan;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.Schema;
import java.util.List;
import org.springframework.boot.context.properties.bind.DefaultValue;

/** Steps that replace the digits of a text by asterisks, except for the last ones. */
public final class MaskFactory implements StepFactory<MaskFactory.Mask> {

    @Override
    public String name() {
        return "mask";
    }

    @Override
    public Class<Mask> propertiesType() {
        return Mask.class;
    }

    @Override
    public StepDefinition define(Mask mask) {
        return mask;
    }

    /**
     * A step as configured.
     *
     * @param field name of the field
     * @param keep number of characters at the end that remain
     */
    public record Mask(
            @DefaultValue("") String field,
            @DefaultValue("4") int keep) implements StepDefinition {

        @Override
        public String kind() {
            return "mask";
        }

        @Override
        public void validate(PropertyCheck check) {
            check.between("keep", keep, 0, 100);
        }

        @Override
        public StepPlan plan(PlanContext context) {
            Schema schema = context.schema();
            Field text = schema.field(field);
            if (text == null || !(text.type() instanceof FieldType.StringType) || schema.baseLength() == 0) {
                context.check()
                        .problem("field", "Invalid field '" + field + "'. Use a text of a schema of the fixed layout.");
                return null;
            }
            return context.plan(List.of(field), List.of(text), run -> {
                BatchField<StringCodec> masked = BatchField.of(run.schema(), field, StringCodec.class);
                return new MaskStep(context.name(), masked, keep, run.rejects());
            });
        }

        @Override
        public List<String> rule(Schema records) {
            return List.of("mask", field, String.valueOf(keep));
        }
    }
}
