package io.millrace.view;

import io.millrace.view.access.BinaryView;
import jakarta.validation.Configuration;
import jakarta.validation.Path;
import jakarta.validation.TraversableResolver;
import java.lang.annotation.ElementType;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Configures Bean Validation for views of classes with constraints on fields. A view does not use the fields of its
 * class, so its getters have these constraints, and validators must leave out fields.
 *
 * <pre>{@code
 * Validator validator = ViewValidation.configure(Validation.byDefaultProvider().configure())
 *         .buildValidatorFactory()
 *         .getValidator();
 * }</pre>
 *
 * <p>Without it, the validation of such a view throws {@link jakarta.validation.ConstraintDeclarationException}. Views
 * of other types need no configuration. In an application of Spring Boot with {@code spring-boot-starter-validation},
 * the validator is configured. Stateless.
 */
@API(status = API.Status.STABLE)
public final class ViewValidation {

    /** Hibernate Validator would store a decision about a getter for the field of the same name too. */
    private static final String CACHE = "hibernate.validator.enable_traversable_resolver_result_cache";

    private ViewValidation() {}

    /**
     * Lets validators read views by their getters only. Validation of all other objects stays as configured by default.
     *
     * @param configuration configuration without a resolver of its own
     * @return the same configuration
     */
    public static <C extends Configuration<?>> C configure(C configuration) {
        configuration.traversableResolver(new Resolver(configuration.getDefaultTraversableResolver()));
        configuration.addProperty(CACHE, "false");
        return configuration;
    }

    private record Resolver(TraversableResolver others) implements TraversableResolver {

        @Override
        public boolean isReachable(
                @Nullable Object object, Path.Node property, Class<?> root, Path path, ElementType element) {
            return !isUnused(object, element) && others.isReachable(object, property, root, path, element);
        }

        @Override
        public boolean isCascadable(
                @Nullable Object object, Path.Node property, Class<?> root, Path path, ElementType element) {
            return !isUnused(object, element) && others.isCascadable(object, property, root, path, element);
        }

        private static boolean isUnused(@Nullable Object object, ElementType element) {
            return element == ElementType.FIELD && object instanceof BinaryView;
        }
    }
}
