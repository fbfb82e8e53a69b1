package io.millrace.pipeline.step.route;

import io.millrace.pipeline.step.StepDefinition;
import io.millrace.pipeline.step.StepFactory;
import java.lang.reflect.Type;

/** Steps that send all records to one target. */
public final class ToFactory implements StepFactory<String> {

    @Override
    public String name() {
        return "to";
    }

    @Override
    public Type propertiesType() {
        return String.class;
    }

    @Override
    public StepDefinition define(String target) {
        return new ToDefinition(target);
    }
}
