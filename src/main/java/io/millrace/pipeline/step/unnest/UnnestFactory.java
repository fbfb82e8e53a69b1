package io.millrace.pipeline.step.unnest;

import io.millrace.pipeline.step.StepDefinition;
import io.millrace.pipeline.step.StepFactory;
import java.lang.reflect.Type;

/** Steps that make a record of each element of a list. */
public final class UnnestFactory implements StepFactory<UnnestDefinition> {

    @Override
    public String name() {
        return "unnest";
    }

    @Override
    public Type propertiesType() {
        return UnnestDefinition.class;
    }

    @Override
    public StepDefinition define(UnnestDefinition properties) {
        return properties;
    }
}
