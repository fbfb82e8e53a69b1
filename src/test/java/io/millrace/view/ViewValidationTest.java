package io.millrace.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import jakarta.validation.ConstraintDeclarationException;
import jakarta.validation.GroupSequence;
import jakarta.validation.Valid;
import jakarta.validation.Validation;
import jakarta.validation.Validator;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Size;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Bean Validation of views, by Hibernate Validator. */
class ViewValidationTest {

    private static final Validator PLAIN =
            Validation.buildDefaultValidatorFactory().getValidator();
    private static final Validator CONFIGURED = ViewValidation.configure(
                    Validation.byDefaultProvider().configure())
            .buildValidatorFactory()
            .getValidator();

    /** The properties of {@link BeanPayment} whose fields have constraints. */
    private static final List<String> CONSTRAINED = List.of("id", "currency", "amount", "payer", "others", "notes");

    private static Set<String> violations(Validator validator, Object object, Class<?>... groups) {
        return validator.validate(object, groups).stream()
                .map(violation -> violation.getPropertyPath() + " " + violation.getMessage())
                .collect(Collectors.toSet());
    }

    /** A payment with constraints on getters. */
    interface Payment {
        @Max(10)
        long getId();

        void setId(long id);

        @Size(min = 3, max = 3)
        String getCurrency();

        void setCurrency(String currency);

        @Valid
        @NotNull
        Account getPayer();

        @Valid
        List<Account> getOthers();

        /** An account with a constraint on a getter. */
        interface Account {
            @Size(min = 2)
            String getName();
        }
    }

    @Test
    @FrameworkSupport(
            tool = "Bean Validation (Hibernate Validator): constraints on getters",
            works = "as for objects, also `@Valid` on groups and lists")
    void shouldValidateConstraintsOnGettersOfAnInterface() {
        RecordViews<Payment> views = RecordViews.of(Payment.class, Payments.SCHEMA);
        RecordViews<BeanPayment> beans = RecordViews.of(BeanPayment.class, Payments.SCHEMA);
        BeanPayment invalid = Payments.invalid();
        invalid.setId(11);

        assertThat(violations(PLAIN, views.of(beans.bytes(Payments.valid())))).isEmpty();
        assertThat(violations(PLAIN, views.of(beans.bytes(invalid))))
                .isEqualTo(violations(CONFIGURED, views.of(beans.bytes(invalid))))
                .containsExactlyInAnyOrder(
                        "id must be less than or equal to 10",
                        "currency size must be between 3 and 3",
                        "payer.name size must be between 2 and 2147483647",
                        "others[1].name size must be between 2 and 2147483647");
        assertThat(PLAIN.validate(views.create())).hasSize(1);
    }

    @Test
    @FrameworkSupport(
            tool = "Bean Validation: constraints on fields of a class",
            works = "as for objects, if the validator is configured by `ViewValidation`. In Spring Boot, it is",
            otherwise = "Without `ViewValidation`, `validate` and `validateProperty` throw")
    void shouldValidateConstraintsOnFieldsOfAClass() {
        RecordViews<BeanPayment> views = RecordViews.of(BeanPayment.class, Payments.SCHEMA);
        for (BeanPayment payment : List.of(Payments.valid(), Payments.invalid())) {
            Set<String> expected = violations(PLAIN, payment);
            assertThat(violations(CONFIGURED, views.view(payment))).isEqualTo(expected);
            assertThat(violations(CONFIGURED, views.edit(payment))).isEqualTo(expected);
            assertThat(violations(CONFIGURED, views.view(payment), BeanPayment.Large.class))
                    .isEqualTo(violations(PLAIN, payment, BeanPayment.Large.class))
                    .hasSize(1);
            for (String property : CONSTRAINED) {
                assertThat(CONFIGURED.validateProperty(views.view(payment), property))
                        .as(property)
                        .hasSameSizeAs(PLAIN.validateProperty(payment, property));
            }
        }
        assertThat(violations(PLAIN, Payments.invalid())).hasSize(7);
    }

    @Test
    void shouldRefuseAValidatorThatReadsFields() {
        RecordViews<BeanPayment> views = RecordViews.of(BeanPayment.class, Payments.SCHEMA);
        BeanPayment view = views.view(Payments.valid());
        for (Class<?>[] groups : List.of(new Class<?>[0], new Class<?>[] {BeanPayment.Large.class})) {
            assertThatExceptionOfType(ConstraintDeclarationException.class)
                    .isThrownBy(() -> PLAIN.validate(view, groups))
                    .withMessage("The class of a view has constraints on fields, which the view does not use."
                            + " Configure the validator by ViewValidation.configure: it validates the getters.");
        }
        assertThatExceptionOfType(ConstraintDeclarationException.class)
                .isThrownBy(() -> PLAIN.validate(view.getPayer()));
        for (String property : CONSTRAINED) {
            assertThatExceptionOfType(ConstraintDeclarationException.class)
                    .as(property)
                    .isThrownBy(() -> PLAIN.validateProperty(view, property));
        }
    }

    /** A constraint on a field that no getter returns. */
    @SuppressWarnings("UnusedVariable") // validators read it
    static class Hidden {
        @NotNull
        private String secret = "";

        private long id;

        public long getId() {
            return id;
        }

        boolean isSecret(String text) {
            return text.isEmpty();
        }
    }

    /** Constraints with an order. */
    @GroupSequence({BeanPayment.Large.class, Ordered.class})
    static class Ordered {
        @Max(value = 5, groups = BeanPayment.Large.class)
        private long id;

        public long getId() {
            return id;
        }
    }

    @Test
    @FrameworkSupport(
            tool = "Bean Validation: constraints on fields without a getter in the schema, `@GroupSequence`",
            works = "",
            otherwise = "Refused by `RecordViews`. Move the constraints to getters")
    void shouldRefuseConstraintsThatNoGetterCanHave() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RecordViews.of(Hidden.class, Payments.SCHEMA))
                .withMessage("Unable to create views of " + Hidden.class.getName() + ": its field 'secret' has"
                        + " constraints, but no getter of a field of the schema returns it, and views do not use the"
                        + " field. Move the constraints to a getter.");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RecordViews.of(Ordered.class, Payments.SCHEMA))
                .withMessageEndingWith("@GroupSequence orders constraints on fields, which views do not use."
                        + " Move them to getters.");
    }
}
