package io.millrace.pipeline.step.filter;

import io.millrace.pipeline.step.StepDefinition;
import io.millrace.pipeline.step.StepFactory;
import java.lang.reflect.Type;

/** Steps that drop the records for which a condition does not hold. */
public final class FilterFactory implements StepFactory<String> {

    @Override
    public String name() {
        return "filter";
    }

    @Override
    public Type propertiesType() {
        return String.class;
    }

    @Override
    public StepDefinition define(String condition) {
        return new FilterDefinition(condition);
    }
}
