package io.millrace.expression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.millrace.expression.error.ExpressionException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** No expression reaches code: all that try are refused when they are parsed, whatever they are meant for. */
class InjectionTest {

    private final ExpressionCompiler compiler = new ExpressionCompiler(Trades.SCHEMA);

    static List<String> injections() {
        return Injections.all();
    }

    static List<String> biting() {
        return Injections.biting();
    }

    @AfterEach
    void clearCanary() {
        System.clearProperty(Injections.CANARY);
    }

    @ParameterizedTest
    @MethodSource("injections")
    void shouldRefuse(String injection) {
        Assignment assignment = new Assignment(Objects.requireNonNull(Trades.SCHEMA.field("id")), injection);
        refuse(() -> compiler.filter(injection));
        refuse(() -> compiler.router(List.of("id > 5", injection)));
        refuse(() -> compiler.setter(List.of(assignment)));
        refuse(() -> compiler.keys(injection));
        refuse(() -> compiler.orderKeys(injection));
        refuse(() -> compiler.resultType(injection));
        refuse(() -> compiler.resultField("x", injection));
        assertThat(System.getProperty(Injections.CANARY)).isNull();
    }

    private static void refuse(ThrowingCallable use) {
        Throwable refusal = catchThrowable(use);
        assertThat(refusal).isInstanceOf(ExpressionException.class);
        assertThat(((ExpressionException) refusal).code().code()).matches("MR10\\d\\d");
    }

    @ParameterizedTest
    @MethodSource("biting")
    void shouldBeRefusedForAReason(String injection) {
        new StockSpel(injection).answer(Map.of("id", 5L));
        assertThat(System.getProperty(Injections.CANARY))
                .as("stock SpEL runs it")
                .isEqualTo("dead");
    }

    @Test
    void shouldKnowManyShapes() {
        assertThat(Injections.all()).hasSizeGreaterThan(100).doesNotHaveDuplicates();
        assertThat(Injections.biting()).hasSizeGreaterThan(3);
    }
}
