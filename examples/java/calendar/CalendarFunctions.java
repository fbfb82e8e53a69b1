package calendar;

import io.millrace.expression.function.ExpressionFunction;
import io.millrace.expression.function.FunctionProvider;
import java.time.LocalDate;
import java.time.temporal.IsoFields;
import java.util.List;

/** Your own functions in a jar for the service: META-INF/services names this class. */
public final class CalendarFunctions implements FunctionProvider {

    /** Called as {@code #quarter(tradeDate)}. */
    public static int quarter(LocalDate day) {
        return day.get(IsoFields.QUARTER_OF_YEAR);
    }

    @Override
    public List<ExpressionFunction> functions() {
        return List.of(ExpressionFunction.ofStatic("quarter", CalendarFunctions.class, "quarter"));
    }
}
