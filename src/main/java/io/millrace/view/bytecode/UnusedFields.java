package io.millrace.view.bytecode;

import jakarta.validation.Constraint;
import jakarta.validation.ConstraintDeclarationException;
import jakarta.validation.ConstraintValidator;
import jakarta.validation.ConstraintValidatorContext;
import jakarta.validation.Payload;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.jspecify.annotations.Nullable;

/**
 * A constraint on a field of a view that hides one of its class with constraints. A validator that is configured by
 * {@code ViewValidation} does not evaluate it. Others would read the unused field of the class, so it throws.
 */
@Constraint(validatedBy = UnusedFields.Refusal.class)
@Target(ElementType.FIELD)
@Retention(RetentionPolicy.RUNTIME)
public @interface UnusedFields {

    String message() default "";

    Class<?>[] groups() default {};

    Class<? extends Payload>[] payload() default {};

    /** Throws whenever it is called. Stateless. */
    final class Refusal implements ConstraintValidator<UnusedFields, Object> {

        /** Used by Bean Validation. */
        public Refusal() {}

        @Override
        public boolean isValid(@Nullable Object value, ConstraintValidatorContext context) {
            throw new ConstraintDeclarationException(
                    "The class of a view has constraints on fields, which the view does"
                            + " not use. Configure the validator by ViewValidation.configure: it validates the getters.");
        }
    }
}
