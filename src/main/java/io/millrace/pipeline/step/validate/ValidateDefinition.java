package io.millrace.pipeline.step.validate;

import static io.millrace.schema.ProblemCode.NO_EFFECT;

import io.millrace.codec.BatchField;
import io.millrace.codec.BooleanCodec;
import io.millrace.codec.check.ConstraintCheck;
import io.millrace.pipeline.step.PlanContext;
import io.millrace.pipeline.step.StepDefinition;
import io.millrace.pipeline.step.StepPlan;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.IntStorage;
import io.millrace.schema.Schema;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Checks each record against the constraints of the schema. */
public record ValidateDefinition(OnInvalid onInvalid) implements StepDefinition {

    private static final String KIND = "validate";

    /** Name of the field that {@link OnInvalid#MARK} adds. */
    private static final String VALID = "valid";

    /** The handling of a record that violates a constraint. */
    public enum OnInvalid {
        /** The record is rejected, with all its violations. */
        REJECT,
        /** The record continues. A field says of each record whether it is valid. */
        MARK
    }

    @Override
    public String kind() {
        return KIND;
    }

    @Override
    public @Nullable StepPlan plan(PlanContext context) {
        ConstraintCheck check = ConstraintCheck.of(context.schema());
        if (check.reads().isEmpty()) {
            context.check()
                    .problem(
                            NO_EFFECT,
                            "",
                            "'validate' has no effect: schema '"
                                    + context.schema().name() + "' has no constraints. Add 'min', 'max', 'pattern' or"
                                    + " 'required' to a field, or 'constraints' to the schema, or remove the step.");
            return null;
        }
        if (onInvalid == OnInvalid.REJECT) {
            return context.plan(
                    check.reads(),
                    List.of(),
                    check.constraints(),
                    run -> new RejectInvalidStep(context.name(), KIND, check, run.rejects()));
        }
        if (!context.canAdd("", VALID)) {
            return null;
        }
        Field valid = context.add(
                Field.of(VALID, new FieldType.BooleanType(IntStorage.of(1, false, ByteOrder.BIG_ENDIAN)), 0));
        BatchField<BooleanCodec> written = BatchField.of(context.schema(), VALID, BooleanCodec.class);
        return context.plan(
                check.reads(),
                List.of(valid),
                check.constraints(),
                _ -> new MarkInvalidStep(context.name(), KIND, check, written));
    }

    /** The constraints are part of the rule, because the fingerprint of the schema does not cover them. */
    @Override
    public List<String> rule(Schema records) {
        return List.of(KIND, onInvalid.name().toLowerCase(Locale.ROOT), ConstraintCheck.describe(records));
    }
}
