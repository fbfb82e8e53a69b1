package io.millrace;

import net.jqwik.api.AfterFailureMode;
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
 *
 * <p>The inputs are the same in each run, so that a build passes or fails because of the code and not by chance: a
 * property that states no seed has {@value #SEED}, and samples that failed earlier, which jqwik stores, are not run
 * first. {@code -Dmillrace.seeds=new} generates other inputs for properties that state no seed, and for loops over
 * {@link #seed()}. A property that fails prints its seed.
 */
public final class TestBudget implements AroundPropertyHook {

    private static final int DIVISOR = "all".equals(System.getProperty("millrace.tries")) ? 1 : 4;
    private static final int MIN_DIVIDED = 100;
    private static final boolean NEW_SEEDS = "new".equals(System.getProperty("millrace.seeds"));
    private static final long SEED = 20261126;

    /** Returns how often to repeat what is repeated this many times in a complete run. */
    public static int of(int all) {
        return all / DIVISOR;
    }

    /** Returns the seed of random inputs that state none: the same in each run, or with new seeds another each time. */
    public static long seed() {
        return NEW_SEEDS ? System.nanoTime() : SEED;
    }

    @Override
    public PropagationMode propagateTo() {
        return PropagationMode.ALL_DESCENDANTS;
    }

    @Override
    public PropertyExecutionResult aroundProperty(PropertyLifecycleContext context, PropertyExecutor property) {
        PropertyAttributes attributes = context.attributes();
        attributes.tries().filter(tries -> tries >= MIN_DIVIDED).ifPresent(tries -> attributes.setTries(of(tries)));
        if (!NEW_SEEDS) {
            if (attributes.seed().isEmpty()) {
                attributes.setSeed(String.valueOf(SEED));
            }
            attributes.setAfterFailure(AfterFailureMode.RANDOM_SEED);
        }
        return property.execute();
    }
}
