package io.millrace.table;

import de.siegmar.fastcsv.reader.CsvRecord;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.IntStorage;
import io.millrace.schema.Schema;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Finds a schema for rows that come without one: whole numbers, decimals, else text as wide as the widest. */
final class ColumnTypes {

    private static final IntStorage I64 = IntStorage.of(8, true, ByteOrder.BIG_ENDIAN);
    private static final Pattern WHOLE = Pattern.compile("-?\\d{1,18}");
    private static final Pattern DECIMAL = Pattern.compile("-?\\d{1,12}(\\.\\d{1,6})?");
    /** A number written like this is a name: as a number it would lose its zeros. */
    private static final Pattern LEADING_ZERO = Pattern.compile("-?0\\d+.*");

    private ColumnTypes() {}

    static Schema infer(String name, List<String> header, List<CsvRecord> lines) {
        List<Field> fields = new ArrayList<>();
        int offset = 0;
        for (int i = 0; i < header.size(); i++) {
            int column = i;
            List<String> values = lines.stream()
                    .map(line -> line.getField(column))
                    .filter(value -> !value.isEmpty())
                    .toList();
            Field field = Field.of(header.get(i), type(values), offset);
            fields.add(field);
            offset = field.end();
        }
        return new Schema(name, offset, fields, List.of());
    }

    private static FieldType type(List<String> values) {
        boolean number = !values.isEmpty()
                && values.stream()
                        .noneMatch(value -> LEADING_ZERO.matcher(value).matches());
        if (number && values.stream().allMatch(value -> WHOLE.matcher(value).matches())) {
            return new FieldType.IntegerType(I64);
        }
        if (number && values.stream().allMatch(value -> DECIMAL.matcher(value).matches())) {
            int scale = values.stream()
                    .mapToInt(value -> value.contains(".") ? value.length() - value.indexOf('.') - 1 : 0)
                    .max()
                    .orElse(0);
            return new FieldType.DecimalType(I64, scale);
        }
        int width = values.stream()
                .mapToInt(value -> value.getBytes(StandardCharsets.UTF_8).length)
                .max()
                .orElse(1);
        return new FieldType.StringType(width, StandardCharsets.UTF_8, (byte) 0);
    }
}
