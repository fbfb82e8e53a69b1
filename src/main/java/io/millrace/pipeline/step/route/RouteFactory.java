package io.millrace.pipeline.step.route;

import io.millrace.pipeline.step.StepDefinition;
import io.millrace.pipeline.step.StepFactory;
import java.lang.reflect.Type;
import java.util.List;
import org.springframework.core.ParameterizedTypeReference;

/** Steps that send each record to the first branch whose condition holds. */
public final class RouteFactory implements StepFactory<List<Branch>> {

    @Override
    public String name() {
        return "route";
    }

    @Override
    public Type propertiesType() {
        return new ParameterizedTypeReference<List<Branch>>() {}.getType();
    }

    @Override
    public StepDefinition define(List<Branch> branches) {
        return new RouteDefinition(branches);
    }
}
