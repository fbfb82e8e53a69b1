package io.millrace.pipeline.step.measure;

import io.millrace.pipeline.step.StepDefinition;
import io.millrace.pipeline.step.StepFactory;
import java.lang.reflect.Type;

/** Steps that aggregate records over time windows. */
public final class MeasureFactory implements StepFactory<MeasureStepDefinition> {

    @Override
    public String name() {
        return "measure";
    }

    @Override
    public Type propertiesType() {
        return MeasureStepDefinition.class;
    }

    @Override
    public StepDefinition define(MeasureStepDefinition properties) {
        return properties;
    }
}
