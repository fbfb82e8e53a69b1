package io.millrace.pipeline.step.enrich;

import io.millrace.pipeline.step.StepDefinition;
import io.millrace.pipeline.step.StepFactory;
import java.lang.reflect.Type;

/** Steps that add fields from a table. */
public final class EnrichFactory implements StepFactory<EnrichDefinition> {

    @Override
    public String name() {
        return "enrich";
    }

    @Override
    public Type propertiesType() {
        return EnrichDefinition.class;
    }

    @Override
    public StepDefinition define(EnrichDefinition properties) {
        return properties;
    }
}
