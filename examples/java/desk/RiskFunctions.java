package desk;

import io.millrace.expression.function.ExpressionFunction;
import java.time.DayOfWeek;
import java.time.LocalDate;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Your own functions for rules and queries: each bean of type {@link ExpressionFunction} registers one. */
@Configuration
public class RiskFunctions {

    /** Limits of a desk. Thread-safe, since pipelines and queries call it concurrently. */
    public static final class Limits {
        private volatile double limit = 60_000_000;

        /** Called as {@code #withinLimit(amount1)}. */
        public boolean withinLimit(double amount) {
            return amount <= limit;
        }
    }

    /** Called as {@code #riskClass(currency1, amount1)}. The name is passed as a String without allocating one. */
    public static int riskClass(String currency, double amount) {
        return switch (currency) {
            case "EUR", "GBP", "USD" -> amount < 50_000_000 ? 1 : 2;
            default -> 3;
        };
    }

    /** Called as {@code #nextWorkingDay(tradeDate)}. */
    public static LocalDate nextWorkingDay(LocalDate day) {
        LocalDate next = day.plusDays(1);
        while (next.getDayOfWeek() == DayOfWeek.SATURDAY || next.getDayOfWeek() == DayOfWeek.SUNDAY) {
            next = next.plusDays(1);
        }
        return next;
    }

    @Bean
    ExpressionFunction riskClassFunction() {
        return ExpressionFunction.ofStatic("riskClass", RiskFunctions.class, "riskClass");
    }

    @Bean
    ExpressionFunction nextWorkingDayFunction() {
        return ExpressionFunction.ofStatic("nextWorkingDay", RiskFunctions.class, "nextWorkingDay");
    }

    @Bean
    ExpressionFunction withinLimitFunction() {
        return ExpressionFunction.of("withinLimit", new Limits(), "withinLimit");
    }
}
