package io.millrace.pipeline.step.validate;

import io.millrace.pipeline.step.StepDefinition;
import io.millrace.pipeline.step.StepFactory;
import io.millrace.pipeline.step.validate.ValidateDefinition.OnInvalid;
import java.lang.reflect.Type;

/** Steps that check values against the constraints of the schema. */
public final class ValidateFactory implements StepFactory<OnInvalid> {

    @Override
    public String name() {
        return "validate";
    }

    @Override
    public Type propertiesType() {
        return OnInvalid.class;
    }

    @Override
    public StepDefinition define(OnInvalid onInvalid) {
        return new ValidateDefinition(onInvalid);
    }
}
