package io.millrace.model.sample;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.time.LocalDate;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.function.Supplier;

/** Random types of records, and random records of them, as JSON objects and CSV lines. */
final class RandomSamples {

    private static final List<String> TIMES = List.of(
            "yyyy-MM-dd HH:mm:ss",
            "yyyy-MM-dd'T'HH:mm",
            "dd/MM/yyyy HH:mm:ss.SSS",
            "yyyy-MM-dd'T'HH:mm:ss.SSSSSS",
            "MM/dd/yyyy HH:mm");
    private static final List<String> DAYS =
            List.of("yyyy-MM-dd", "dd/MM/yyyy", "MM/dd/yyyy", "dd.MM.yyyy", "yyyy/MM/dd");

    private final Random random;

    RandomSamples(long seed) {
        random = new Random(seed);
    }

    /** Writes values of a field as JSON, or returns null for no value. */
    interface Values extends Supplier<String> {}

    /** Returns the fields of a random type of records. */
    Map<String, Values> type(int depth) {
        Map<String, Values> fields = new LinkedHashMap<>();
        int count = 1 + random.nextInt(6);
        for (int i = 0; i < count; i++) {
            fields.put("f" + i, missing(depth > 0 ? nested(depth) : single()));
        }
        return fields;
    }

    private Values missing(Values values) {
        double share = random.nextInt(3) > 0 ? 0 : random.nextDouble();
        return () -> random.nextDouble() < share ? null : values.get();
    }

    private Values nested(int depth) {
        return switch (random.nextInt(5)) {
            case 0 -> {
                Map<String, Values> inner = type(depth - 1);
                yield () -> object(inner);
            }
            case 1 -> list(type(depth - 1));
            case 2 -> {
                Values inner = single();
                int most = random.nextInt(5);
                yield () -> {
                    List<String> elements = new ArrayList<>();
                    for (int i = random.nextInt(most + 1); i > 0; i--) {
                        elements.add(inner.get());
                    }
                    return elements.toString();
                };
            }
            default -> single();
        };
    }

    private Values list(Map<String, Values> inner) {
        return () -> {
            List<String> elements = new ArrayList<>();
            for (int i = random.nextInt(4); i > 0; i--) {
                elements.add(object(inner));
            }
            return elements.toString();
        };
    }

    /** Returns a JSON object; members without a value are null or left out. */
    String object(Map<String, Values> fields) {
        List<String> members = new ArrayList<>();
        fields.forEach((name, values) -> {
            String value = values.get();
            if (value != null || random.nextBoolean()) {
                members.add(quoted(name) + (random.nextBoolean() ? ":" : " : ") + value);
            }
        });
        return "{" + String.join(",", members) + "}";
    }

    /** Returns values of a random type. */
    Values single() {
        int bits = 1 + random.nextInt(66);
        int scale = 1 + random.nextInt(20);
        String day = DAYS.get(random.nextInt(DAYS.size()));
        String time = TIMES.get(random.nextInt(TIMES.size()));
        int names = 1 + random.nextInt(5);
        return switch (random.nextInt(14)) {
            case 0 -> () -> new BigInteger(bits, random).toString();
            case 1 ->
                () -> new BigInteger(bits, random)
                        .subtract(BigInteger.TWO.pow(bits - 1))
                        .toString();
            case 2 -> () -> new BigDecimal(new BigInteger(Math.min(bits, 50), random), scale).toPlainString();
            case 3 -> () -> Double.toString(random.nextGaussian() * Math.pow(10, random.nextInt(20)));
            case 4 -> () -> Boolean.toString(random.nextBoolean());
            case 5 -> () -> quoted(DateTimeFormatter.ofPattern(day, Locale.ROOT).format(day()));
            case 6 ->
                () -> quoted(DateTimeFormatter.ofPattern(time, Locale.ROOT)
                        .format(day().atTime(random.nextInt(24), random.nextInt(60), random.nextInt(60))));
            case 7 ->
                () -> quoted(Instant.ofEpochSecond(random.nextInt(), random.nextInt(1000) * 1000L)
                        .toString());
            case 8 -> () -> quoted("N" + random.nextInt(names));
            case 9 -> () -> quoted(text());
            case 10 -> () -> random.nextBoolean() ? quoted(text()) : Integer.toString(random.nextInt());
            case 11 -> () -> quoted("00" + random.nextInt(1000));
            case 12 -> () -> random.nextBoolean() ? "1" : "1e" + (random.nextInt(60) - 30);
            default -> () -> random.nextInt(50) == 0 ? quoted("") : quoted("X" + random.nextInt(300));
        };
    }

    private LocalDate day() {
        return LocalDate.of(1900 + random.nextInt(300), 1 + random.nextInt(12), 1 + random.nextInt(28));
    }

    private String text() {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(20); i > 0; i--) {
            switch (random.nextInt(12)) {
                case 0 -> text.append((char) (0xC0 + random.nextInt(0x500)));
                case 1 -> text.appendCodePoint(0x1F600 + random.nextInt(50));
                case 2 -> text.append("\"\\\n\t ,;#'{}[]:&*".charAt(random.nextInt(16)));
                default -> text.append((char) ('!' + random.nextInt(90)));
            }
        }
        return text.toString();
    }

    static String quoted(String text) {
        StringBuilder json = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                json.append('\\').append(c);
            } else if (c < ' ') {
                json.append(String.format("\\u%04x", (int) c));
            } else {
                json.append(c);
            }
        }
        return json.append('"').toString();
    }

    /** Returns a CSV file of records with single values. */
    String csv(Map<String, Values> fields, int records) {
        StringBuilder csv = new StringBuilder(String.join(",", fields.keySet())).append('\n');
        for (int i = 0; i < records; i++) {
            List<String> values = new ArrayList<>();
            fields.values().forEach(field -> {
                String json = field.get();
                String text = json == null ? "" : json.startsWith("\"") ? unquoted(json) : json;
                values.add("\"" + text.replace("\"", "\"\"") + "\"");
            });
            csv.append(String.join(",", values)).append('\n');
        }
        return csv.toString();
    }

    private static String unquoted(String json) {
        return json.substring(1, json.length() - 1)
                .replace("\\u000a", "\n")
                .replace("\\u0009", "\t")
                .replace("\\\"", "\"")
                .replace("\\\\", "\\");
    }
}
