package io.millrace;

import net.jqwik.api.lifecycle.AroundPropertyHook;
import net.jqwik.api.lifecycle.PropagationMode;
import net.jqwik.api.lifecycle.PropertyAttributes;
import net.jqwik.api.lifecycle.PropertyExecutionResult;
import net.jqwik.api.lifecycle.PropertyExecutor;
import net.jqwik.api.lifecycle.PropertyLifecycleContext;

/**
 * How often tests with random inputs repeat their assertions: a quarter of the stated number, so that a build is quick.
 * With {@code -Dmillrace.tries=all}, as in {@code .ci/run}, the stated number. Applies to all properties of jqwik that
 * state a number of at least {@value #MIN_DIVIDED} tries.
 */
public final class TestBudget implements AroundPropertyHook {

    private static final int DIVISOR = "all".equals(System.getProperty("millrace.tries")) ? 1 : 4;
    private static final int MIN_DIVIDED = 100;

    /** Returns how often to repeat what is repeated this many times in a complete run. */
    public static int of(int all) {
        return all / DIVISOR;
    }

    @Override
    public PropagationMode propagateTo() {
        return PropagationMode.ALL_DESCENDANTS;
    }

    @Override
    public PropertyExecutionResult aroundProperty(PropertyLifecycleContext context, PropertyExecutor property) {
        PropertyAttributes attributes = context.attributes();
        attributes.tries().filter(tries -> tries >= MIN_DIVIDED).ifPresent(tries -> attributes.setTries(of(tries)));
        return property.execute();
    }
}
