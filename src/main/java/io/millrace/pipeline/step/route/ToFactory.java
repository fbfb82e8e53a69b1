package io.millrace.pipeline.step.route;

import io.millrace.pipeline.step.StepDefinition;
import io.millrace.pipeline.step.StepFactory;
import io.millrace.pipeline.step.TargetNames;
import java.lang.reflect.Type;
import java.util.List;
import org.springframework.core.ParameterizedTypeReference;

/** Steps that send all records to each of some targets. */
public final class ToFactory implements StepFactory<List<String>> {

    @Override
    public String name() {
        return "to";
    }

    @Override
    public Type propertiesType() {
        return new ParameterizedTypeReference<List<String>>() {}.getType();
    }

    @Override
    public StepDefinition define(List<String> targets) {
        return new ToDefinition(new TargetNames(targets));
    }
}
