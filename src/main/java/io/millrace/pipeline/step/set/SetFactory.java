package io.millrace.pipeline.step.set;

import io.millrace.pipeline.step.StepDefinition;
import io.millrace.pipeline.step.StepFactory;
import java.lang.reflect.Type;
import java.util.Map;
import org.springframework.core.ParameterizedTypeReference;

/** Steps that compute fields. */
public final class SetFactory implements StepFactory<Map<String, String>> {

    @Override
    public String name() {
        return "set";
    }

    @Override
    public Type propertiesType() {
        return new ParameterizedTypeReference<Map<String, String>>() {}.getType();
    }

    @Override
    public StepDefinition define(Map<String, String> expressions) {
        return new SetDefinition(expressions);
    }
}
