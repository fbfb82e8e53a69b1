package io.millrace.store.scan;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.corpus.CorpusField;
import io.millrace.corpus.CorpusRecords;
import io.millrace.corpus.StorePlace;
import io.millrace.store.query.AggregateQuery;
import io.millrace.store.query.AggregateResult;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Random aggregate queries of records with absent and extreme values in every field, stored in all forms, against the
 * same queries in SQL in DuckDB.
 *
 * <p>{@code -Dmillrace.rounds=N} repeats the test with other seeds, {@code -Dmillrace.seed=N} begins with another one.
 */
class AggregateOracleTest {

    private static final int DATA_SETS = 6 * Integer.getInteger("millrace.rounds", 1);
    private static final long SEED = 38 + Long.getLong("millrace.seed", 0);
    private static final int QUERIES = 10;
    private static final int MAX_RECORDS = 120;

    private static final List<CorpusField> FIELDS = List.of(
            new CorpusField("id", "i64", "", false, false),
            new CorpusField("wide", "i64", "", true, true),
            new CorpusField("inBand", "i64", "", true, false),
            new CorpusField("small", "u16", "", true, false),
            new CorpusField("narrow", "i32", "", true, true),
            new CorpusField("amount", "decimal, scale: 2", ", as: i64", true, true),
            new CorpusField("fee", "decimal, scale: 3", ", as: i32", true, false),
            new CorpusField("price", "f64", "", false, false),
            new CorpusField("rate", "f64", "", true, false),
            new CorpusField("single", "f32", "", true, true),
            new CorpusField("day", "date", ", as: i32", true, true),
            new CorpusField("moment", "instant, unit: ms", ", as: i64", true, true),
            new CorpusField("status", "enum, values: [Start, Stop, Update]", ", as: u8", false, false),
            new CorpusField("kind", "enum, values: { 1: SPOT, 5: SWAP, 200: OPTION }", ", as: u8", true, false),
            new CorpusField("open", "boolean", ", as: u8", true, false),
            new CorpusField("text", "string, length: 8", "", true, true));

    /** A field or an expression, and the same in SQL. */
    private record Term(String text, String sql) {
        static Term field(String name) {
            return new Term(name, name);
        }
    }

    private static final List<Term> NUMBERS = List.of(
            Term.field("id"),
            Term.field("wide"),
            Term.field("inBand"),
            Term.field("small"),
            Term.field("narrow"),
            Term.field("amount"),
            Term.field("fee"),
            Term.field("price"),
            Term.field("rate"),
            Term.field("single"),
            new Term("wide ?: 7", "coalesce(wide, 7)"),
            new Term("small == null ? null : small * 3", "small * 3"),
            new Term("status == 'Stop' ? wide : null", "CASE WHEN status = 'Stop' THEN wide END"),
            new Term("kind == 'SWAP' ? narrow : small", "CASE WHEN kind = 'SWAP' THEN narrow ELSE small END"),
            new Term("open == true ? rate : null", "CASE WHEN open THEN rate END"));

    private static final List<Term> ORDERED = Stream.concat(
                    NUMBERS.stream(), Stream.of(Term.field("day"), Term.field("moment")))
            .toList();

    private static final List<Term> ALL = Stream.concat(
                    ORDERED.stream(), Stream.of(Term.field("status"), Term.field("kind"), Term.field("text")))
            .toList();

    private static final List<Term> CONDITIONS = List.of(
            new Term("small != null and small > 100", "small > 100"),
            new Term("status == 'Stop'", "status = 'Stop'"),
            new Term("kind == 'SWAP'", "kind = 'SWAP'"),
            new Term("wide == null", "wide IS NULL"),
            new Term("open == true", "open"),
            new Term("id > 0 and amount != null", "id > 0 AND amount IS NOT NULL"),
            new Term("id % 2 == 0", "id % 2 = 0"),
            new Term("id == 123456789", "id = 123456789"),
            new Term("narrow == 77777 and id % 2 == 0", "narrow = 77777 AND id % 2 = 0"));

    private static final List<Term> KEYS = List.of(
            Term.field("wide"),
            Term.field("inBand"),
            Term.field("small"),
            Term.field("narrow"),
            Term.field("fee"),
            Term.field("price"),
            Term.field("rate"),
            Term.field("single"),
            Term.field("day"),
            Term.field("moment"),
            Term.field("status"),
            Term.field("kind"),
            Term.field("open"),
            Term.field("text"),
            new Term("id % 3", "id % 3"),
            new Term("wide ?: 7", "coalesce(wide, 7)"),
            new Term("status == 'Stop' ? wide : null", "CASE WHEN status = 'Stop' THEN wide END"),
            new Term("open == true ? kind : null", "CASE WHEN open THEN kind END"),
            new Term("open == true ? day : null", "CASE WHEN open THEN day END"),
            new Term("small == null ? null : small > 100", "small > 100"));

    private static Connection connection;

    private final Random random = new Random(SEED);
    private int compared;
    private int nulls;

    @BeforeAll
    static void connect() throws SQLException {
        connection = DriverManager.getConnection("jdbc:duckdb:");
    }

    @AfterAll
    static void close() throws SQLException {
        connection.close();
    }

    @Test
    void shouldAggregateLikeSql() throws SQLException {
        for (int i = 0; i < DATA_SETS; i++) {
            List<Map<String, @Nullable Object>> records = i == 0 ? List.of() : records();
            load(records);
            Map<String, Function<AggregateQuery, AggregateResult>> stored =
                    StorePlace.aggregates(CorpusRecords.of(FIELDS, withAnyNan(records)), "id");
            for (int q = 0; q < QUERIES; q++) {
                compare(stored, records);
            }
        }
        assertThat(compared).isGreaterThan(DATA_SETS * QUERIES);
        assertThat(nulls).isGreaterThan(DATA_SETS);
    }

    private void compare(
            Map<String, Function<AggregateQuery, AggregateResult>> stored, List<Map<String, @Nullable Object>> records)
            throws SQLException {
        Term where = random.nextInt(3) == 0 ? null : oneOf(CONDITIONS);
        List<Term> by = random.nextInt(3) == 0
                ? List.of()
                : IntStream.range(0, 1 + random.nextInt(2))
                        .mapToObj(_ -> oneOf(KEYS))
                        .distinct()
                        .toList();
        List<Term> values = IntStream.range(0, 1 + random.nextInt(6))
                .mapToObj(_ -> value())
                .distinct()
                .toList();
        AggregateQuery query = new AggregateQuery(
                where == null ? null : where.text(),
                by.stream().map(Term::text).toList(),
                values.stream().map(Term::text).toList(),
                1000);
        String sql = "SELECT "
                + Stream.concat(by.stream(), values.stream()).map(Term::sql).collect(Collectors.joining(", "))
                + " FROM records"
                + (where == null ? "" : " WHERE " + where.sql())
                + (by.isEmpty() ? "" : " GROUP BY " + by.stream().map(Term::sql).collect(Collectors.joining(", ")));
        List<Row> expected = rows(sql, by.size());
        for (var each : stored.entrySet()) {
            AggregateResult result = each.getValue().apply(query);
            List<Row> rows = result.groups().stream()
                    .map(group -> Row.of(new ArrayList<>(group.values()), by.size()))
                    .sorted()
                    .toList();
            String what = each.getKey() + ": " + query + "\n" + sql + "\n" + records.size();
            assertThat(result.counts().failed())
                    .as(what + result.counts().firstFailure())
                    .isZero();
            assertThat(rows)
                    .as(what)
                    .extracting(Row::key)
                    .isEqualTo(expected.stream().map(Row::key).toList());
            for (int row = 0; row < rows.size(); row++) {
                rows.get(row).requireLike(expected.get(row), what);
            }
        }
        compared += expected.size();
        nulls += (int) expected.stream()
                .flatMap(row -> row.values().stream())
                .filter(value -> value == null)
                .count();
    }

    private Term value() {
        Function<Term, String> sql = Term::sql;
        return switch (random.nextInt(8)) {
            case 0 -> new Term("count()", "count(*)");
            case 1 -> aggregate("count", oneOf(ALL), sql);
            case 2 -> {
                Term condition = oneOf(CONDITIONS);
                yield new Term("count(" + condition.text() + ")", "count(*) FILTER (WHERE " + condition.sql() + ")");
            }
            case 3 -> aggregate("min", oneOf(ORDERED), sql);
            case 4 -> aggregate("max", oneOf(ORDERED), sql);
            case 5 -> aggregate("avg", oneOf(NUMBERS), sql);
            default -> aggregate("sum", oneOf(NUMBERS), sql);
        };
    }

    private static Term aggregate(String function, Term of, Function<Term, String> sql) {
        return new Term(function + "(" + of.text() + ")", function + "(" + sql.apply(of) + ")");
    }

    private <T> T oneOf(List<T> list) {
        return list.get(random.nextInt(list.size()));
    }

    /** A row of an answer: its key as text, and its values as numbers, null or NaN. */
    private record Row(String key, List<@Nullable Object> values) implements Comparable<Row> {

        static Row of(List<@Nullable Object> columns, int keys) {
            List<@Nullable Object> plain =
                    columns.stream().map(Row::plain).collect(Collectors.toCollection(ArrayList::new));
            return new Row(plain.subList(0, keys).toString(), plain.subList(keys, plain.size()));
        }

        private static @Nullable Object plain(@Nullable Object value) {
            return switch (value) {
                case null -> null;
                case Float real -> plain((double) real);
                case Double real when !Double.isFinite(real) -> real;
                case Double real -> new BigDecimal(real).stripTrailingZeros().toPlainString();
                case BigDecimal decimal -> decimal.stripTrailingZeros().toPlainString();
                case Number whole ->
                    new BigDecimal(whole.toString()).stripTrailingZeros().toPlainString();
                case LocalDate date -> String.valueOf(date.toEpochDay());
                case Instant instant -> String.valueOf(instant.toEpochMilli());
                default -> value.toString();
            };
        }

        @Override
        public int compareTo(Row other) {
            return key.compareTo(other.key);
        }

        void requireLike(Row expected, String what) {
            for (int i = 0; i < values.size(); i++) {
                Object value = values.get(i);
                Object other = expected.values.get(i);
                if (value instanceof String text && other instanceof String otherText && !text.equals(otherText)) {
                    // An average is a double in SQL.
                    BigDecimal number = new BigDecimal(text);
                    BigDecimal difference =
                            number.subtract(new BigDecimal(otherText)).abs();
                    assertThat(difference)
                            .as("%s: %s and %s", what, text, otherText)
                            .isLessThanOrEqualTo(number.abs().multiply(new BigDecimal("1e-12")));
                } else {
                    assertThat(value).as(what).isEqualTo(other);
                }
            }
        }
    }

    private static List<Row> rows(String sql, int keys) throws SQLException {
        List<Row> rows = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet found = statement.executeQuery(sql)) {
            int columns = found.getMetaData().getColumnCount();
            while (found.next()) {
                List<@Nullable Object> row = new ArrayList<>();
                for (int i = 1; i <= columns; i++) {
                    row.add(found.getObject(i));
                }
                rows.add(Row.of(row, keys));
            }
        }
        rows.sort(null);
        return rows;
    }

    private static void load(List<Map<String, @Nullable Object>> records) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("""
                    CREATE OR REPLACE TABLE records (id BIGINT, wide BIGINT, inBand BIGINT, small INTEGER, narrow BIGINT,
                    amount DECIMAL(21, 2), fee DECIMAL(15, 3), price DOUBLE, rate DOUBLE, single DOUBLE, day BIGINT,
                moment BIGINT, status VARCHAR, kind VARCHAR, open BOOLEAN, text VARCHAR)\
                """);
            if (!records.isEmpty()) {
                statement.execute("INSERT INTO records VALUES "
                        + records.stream()
                                .map(record -> record.values().stream()
                                        .map(AggregateOracleTest::literal)
                                        .collect(Collectors.joining(", ", "(", ")")))
                                .collect(Collectors.joining(", ")));
            }
        }
    }

    private static String literal(@Nullable Object value) {
        return switch (value) {
            case null -> "NULL";
            case Double real -> "'" + real + "'::DOUBLE";
            case Boolean truth -> truth.toString();
            case BigDecimal decimal -> "'" + decimal.toPlainString() + "'::DECIMAL(21, 3)";
            case LocalDate date -> String.valueOf(date.toEpochDay());
            case Instant instant -> "(" + instant.toEpochMilli() + ")";
            case String text -> "'" + text + "'";
            default -> "'" + value + "'::BIGINT";
        };
    }

    /** Records with few different values, so that groups have several, and with the extreme ones. */
    private List<Map<String, @Nullable Object>> records() {
        int absence = 1 + random.nextInt(6);
        return IntStream.range(0, random.nextInt(MAX_RECORDS))
                .mapToObj(_ -> {
                    Map<String, @Nullable Object> record = new LinkedHashMap<>();
                    record.put("id", anyLong(Long.MIN_VALUE));
                    record.put("wide", orNull(absence, anyLong(Long.MIN_VALUE)));
                    record.put("inBand", orNull(absence, anyLong(Long.MIN_VALUE + 1)));
                    record.put("small", orNull(absence, oneOf(List.of(0L, 1L, 99L, 101L, 65_534L))));
                    record.put("narrow", orNull(absence, oneOf(List.of(0L, -1L, 5L, -2147483648L, 2147483647L))));
                    record.put("amount", orNull(absence, BigDecimal.valueOf(anyLong(Long.MIN_VALUE), 2)));
                    record.put(
                            "fee",
                            orNull(
                                    absence,
                                    BigDecimal.valueOf(oneOf(List.of(0L, 5L, -1L, 2147483647L, -2147483647L)), 3)));
                    record.put("price", anyDouble());
                    record.put("rate", orNull(absence, orNotNan(anyDouble())));
                    record.put("single", orNull(absence, anyDouble()));
                    record.put("day", orNull(absence, LocalDate.ofEpochDay(oneOf(List.of(0L, -1L, 20_000L, (long)
                            Integer.MAX_VALUE)))));
                    record.put(
                            "moment",
                            orNull(
                                    absence,
                                    Instant.ofEpochMilli(oneOf(
                                            List.of(0L, -1L, 1_700_000_000_000L, Long.MIN_VALUE, Long.MAX_VALUE)))));
                    record.put("status", oneOf(List.of("Start", "Stop", "Update")));
                    record.put("kind", orNull(absence, oneOf(List.of("SPOT", "SWAP", "OPTION"))));
                    record.put("open", orNull(absence, random.nextBoolean()));
                    record.put("text", orNull(absence, oneOf(List.of("", "a", "ab", "abcdefgh"))));
                    return record;
                })
                .toList();
    }

    private <T> @Nullable T orNull(int absence, T value) {
        return random.nextInt(7) < absence ? null : value;
    }

    private long anyLong(long min) {
        return oneOf(List.of(0L, 1L, -1L, 7L, 1_000L, min, Long.MAX_VALUE, (long) random.nextInt(5)));
    }

    private double anyDouble() {
        return oneOf(List.of(
                        0.0, -0.0, 1.5, -2.5, 1000.0, Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY))
                .doubleValue();
    }

    /** In a field whose absent value is a NaN, this one is not a value. */
    private static double orNotNan(double value) {
        return Double.isNaN(value) ? 0.5 : value;
    }

    /** Returns the records with any bits for each NaN. */
    private List<Map<String, @Nullable Object>> withAnyNan(List<Map<String, @Nullable Object>> records) {
        return records.stream()
                .map(record -> {
                    Map<String, @Nullable Object> copy = new LinkedHashMap<>(record);
                    copy.replaceAll((_, value) -> anyNan(value));
                    return copy;
                })
                .toList();
    }

    private @Nullable Object anyNan(@Nullable Object value) {
        return value instanceof Double real && Double.isNaN(real)
                ? (Object) Double.longBitsToDouble(Double.doubleToRawLongBits(Double.NaN)
                        | ((long) random.nextInt(3) << 30)
                        | (random.nextLong() & Long.MIN_VALUE))
                : value;
    }
}
