package io.millrace.web;

import io.millrace.fuzz.Mutations;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Requests of all operations of the OpenAPI document that do not answer with a stream, made from valid ones by faults.
 * Two of three have a body. Equal seeds give equal requests. Stateless.
 */
final class HostileRequests {

    /**
     * A request.
     *
     * @param operation such as {@code POST /pipelines/{name}/rules}
     * @param path behind that of the API, with its query
     * @param headers names and values by turns
     */
    record Request(String operation, String path, List<String> headers, byte @Nullable [] body) {

        String method() {
            return operation.split(" ", 2)[0];
        }

        @Override
        public String toString() {
            return method() + " " + path + " " + headers + " "
                    + (body == null ? "" : body.length + " bytes: " + shown(new String(body, StandardCharsets.UTF_8)));
        }

        private static String shown(String text) {
            return text.length() > 3_000 ? text.substring(0, 3_000) + "…" : text;
        }
    }

    /** Values of parameters that requests of {@link HostileRequestsTest} can have. */
    private static final Map<String, List<String>> VALUES = Map.ofEntries(
            Map.entry("pipelines name", List.of("live", "live", "few")),
            Map.entry("measures name", List.of("sales")),
            Map.entry("tables name", List.of("shops", "latest")),
            Map.entry("region", List.of("made", "keyed", "live-rejected")),
            Map.entry("key", List.of("17", "17|3")),
            Map.entry("point", List.of("admitted")),
            Map.entry("number", List.of("1", "2")),
            Map.entry("to", List.of("1", "2")),
            Map.entry("comment", List.of("a comment")),
            Map.entry("dryRun", List.of("true", "true", "false")),
            Map.entry("skipTests", List.of("true", "false")),
            Map.entry("If-Match", List.of("\"1\"", "*", "W/\"2\"")),
            Map.entry(
                    "where",
                    List.of("id % 2 == 0", "currency1 matches 'G.*' and amount1 > 10.5", "1 / (id - id) == 0")),
            Map.entry("by", List.of("currency1", "id % 3, buySell")),
            Map.entry("values", List.of("count()", "sum(amount1), max(id), avg(amount1 * exchangeRate)")),
            Map.entry("select", List.of("id, currency1")),
            Map.entry("orderBy", List.of("amount1 desc, id")),
            Map.entry("limit", List.of("10")),
            Map.entry("timeout", List.of("5s")),
            Map.entry("format", List.of("json", "csv", "spreadsheet")),
            Map.entry("onError", List.of("fail", "skip")),
            Map.entry("windows", List.of("3")));

    private static final List<String> RULES = List.of("""
            comment: fewer
            steps:
              - filter: id > 1 and currency1 != 'GBP'
              - set: { notional: amount1 * exchangeRate }
              - measure: { name: sales, by: id % 3 as shop, every: 1s, values: { sales: count(), mean: avg(amount1) } }
              - to: made
            """, """
            steps:
              - validate: mark
              - filter: "{'GBP', 'USD'}.contains(currency1) ? id % 7 > 2 : currency2 matches '[A-F](x|y)*.{2}'"
              - enrich: { table: shops, key: id % 3, add: { town: town }, on-miss: default, defaults: { town: "'none'" } }
              - set: { notional: amount1 * exchangeRate, fee: notional * 0.01, sign: "buySell == 'Buy' ? 1 : -1" }
              - unnest: { list: legs, fields: [id, legs_index] }
              - measure:
                  name: sales
                  by: id % 3 as shop
                  every: 1s
                  values: { sales: count() }
                  alerts: { seen: { when: sales > 0 } }
              - route: [ { when: notional > 1000, to: made }, { otherwise: made } ]
            """, """
            {"comment":"less","steps":[{"filter":"id % 2 == 0"},{"set":{"notional":"amount1 * exchangeRate"}},\
            {"measure":{"name":"sales","by":"id % 3 as shop","every":"1s",\
            "values":{"sales":"count()","mean":"avg(amount1)"}}},{"to":"made"}]}""", """
            {"steps":[{"filter":"id > 5"},{"to":"keyed"}]}""", """
            {"steps":[{"route":[{"when":"amount1 > 10","to":"keyed"},{"when":"buySell == 'Buy'","to":"keyed"}]}]}""");

    /** Valid bodies, by operation. */
    private static final Map<String, List<String>> BODIES = Map.of(
            "POST /pipelines/{name}/rules", RULES,
            "POST /pipelines/{name}/rules/shadow", RULES,
            "POST /pipelines/{name}/rules/backtest", RULES,
            "PUT /pipelines/{name}/replay", List.of("{\"rate\":300,\"paused\":false}", "{\"rate\":null}"));

    /** In the place of a value of JSON. */
    private static final List<String> WRONG_VALUES = List.of(
            "null",
            "true",
            "-1",
            "0.5",
            "1e400",
            "-1e-400",
            "9223372036854775808",
            "9".repeat(2_000),
            "0".repeat(50) + "1",
            "NaN",
            "\"\"",
            "\" \"",
            "[]",
            "{}",
            "[[]]",
            "{\"\":{}}",
            "[".repeat(400) + "]".repeat(400),
            "[".repeat(50_000),
            "{\"a\":".repeat(400) + "1" + "}".repeat(400),
            "{\"a\":".repeat(20_000),
            "[" + "1,".repeat(20_000) + "1]",
            "\"" + "x".repeat(100_000) + "\"",
            "\"\\u0000\\u001b[31m\\r\\n\\u0085\\u202e\"",
            "\"\u0000\u0007\u001b[31m\"",
            "\"\\ud800\"",
            "\"\\uZZZZ\"",
            "\"\ud83d\ude00\ufeff\"",
            "\"${user.home}${${a}:b}\"",
            "\"#{1}\"",
            "\"*a\"",
            "\"<script>alert(1)</script>\"",
            "\"../../../etc/passwd\"",
            "\"channel:nothing\"",
            "\"T(Runtime).getRuntime()\"",
            "\"#root.class\"",
            "\"1 / 0\"",
            "\"id / (id - id) > 0\"",
            "\"" + "(".repeat(3_000) + "\"",
            "\"" + "(".repeat(900) + "id" + ")".repeat(900) + " > 0\"",
            "\"" + "-".repeat(3_000) + "id > 0\"",
            "\"" + "!".repeat(2_000) + "true\"",
            "\"id == 1" + " or id == 1".repeat(300) + "\"",
            "\"" + "id ? 1 : ".repeat(300) + "1\"",
            "\"id" + ".id".repeat(1_000) + "\"",
            "\"{" + "'GBP',".repeat(500) + "'GBP'}.contains(currency1)\"",
            "\"currency1 matches '((a{1,1000}){1,1000}){1,1000}'\"",
            "\"currency1 matches '(a|b)*" + "(x+)+".repeat(200) + "$'\"",
            "\"currency1 matches '" + "(".repeat(2_000) + "'\"",
            "\"'a'.repeat(1000000000) == ''\"",
            "\"9223372036854775807ns\"",
            "\"-5s\"",
            "\"P999999999999D\"",
            "\"0s\"");

    /** Documents that no change of a valid one leads to. */
    private static final List<String> WRONG_DOCUMENTS = List.of(
            "",
            "\ufeff",
            "---\n---\n---\n",
            "steps: []",
            "steps: {}",
            "steps: [ {} ]",
            "steps: [ { filter: {} } ]",
            "steps: [ { filter: {} }, { to: made }, { set: {} } ]",
            "steps: " + "[".repeat(200_000),
            "steps: " + "{a: ".repeat(50_000),
            "steps: [" + "[],".repeat(80_000) + "]",
            "? ".repeat(100_000),
            "- ".repeat(100_000),
            "&a ".repeat(50_000) + "x",
            "---\n".repeat(50_000),
            "#".repeat(200_000) + "\nsteps: [ { to: made } ]",
            "steps: steps",
            "- steps",
            "steps: [ ",
            "steps: &a [ *a ]",
            "a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\n"
                    + "d: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c]\nsteps: [ *d, *d, *d, *d, *d, *d, *d, *d, *d ]",
            "steps: !!com.example.Address [ 'http://127.0.0.1:1/' ]",
            "steps: [ !!binary AAAA, !<tag:yaml.org,2002:float> .nan, 2001-01-01, 0o7, 1_000, ~ ]",
            "%YAML 9.9\n---\nsteps: []",
            "<<: { steps: [ { to: made } ] }",
            "? [ steps ]\n: [ { to: made } ]",
            "steps:\n- to: |\n    made\n- to: >\n    made\n",
            "steps:\n\t- to: made",
            "steps: [ { to: made }, { to: made } ]\nsteps: [ { to: made } ]",
            "steps[0].to: made\nsteps[1000000000].to: made",
            "steps: [" + "{ filter: id > 1 },".repeat(5_000) + "{ to: made } ]",
            "steps: [ { set: { " + "a: 1, ".repeat(5_000) + "b: 1 } }, { to: made } ]",
            " ".repeat(300_000) + "steps: []",
            "x".repeat(300_000),
            "\"" + "\\x".repeat(10_000),
            "{\"rate\":1}{\"rate\":2}",
            "<?xml version=\"1.0\"?><!DOCTYPE a [<!ENTITY b SYSTEM \"file:///etc/passwd\">]><a>&b;</a>");

    private static final List<String> WRONG_TYPES = List.of(
            "text/plain",
            "application/xml",
            "application/octet-stream",
            "application/x-www-form-urlencoded",
            "multipart/form-data",
            "multipart/form-data; boundary=x",
            "text/event-stream",
            "application/json; charset=utf-16",
            "application/json; charset=utf-32",
            "application/json; charset=nothing",
            "application/yaml; charset=ISO-8859-1",
            "application/yaml; charset=ebcdic-cp-us",
            "application/json;" + "a=b;".repeat(500),
            "application/cbor",
            "application/x-ndjson",
            "*/*",
            "nothing",
            "a/b/c",
            ";;;",
            "\u00e9/\u00ff",
            "");

    private static final List<String> WRONG_PARAMETERS = List.of(
            "",
            " ",
            "\u0000",
            "\u001b[31m\r\n",
            "\u202e\ud83d\ude00",
            "0",
            "-1",
            "9223372036854775808",
            "9".repeat(1_000),
            "1e5",
            "NaN",
            "true",
            "null",
            "..",
            "../../etc/passwd",
            "a/b",
            "%2e%2e%2f",
            "a,b,,c,",
            ",".repeat(3_000),
            "x".repeat(5_000),
            "(".repeat(3_000),
            "-".repeat(3_000) + "id > 0",
            "id == 1" + " or id == 1".repeat(300),
            "currency1 matches '((a{1,1000}){1,1000}){1,1000}'",
            "currency1 matches '(.*a){1000}'",
            "'a'.repeat(1000000000) == ''",
            "T(Runtime).getRuntime()",
            "id / (id - id) > 0",
            "count(),".repeat(500),
            "sum(" + "id + ".repeat(500) + "id)",
            "1ns",
            "-5s",
            "9223372036854775807d",
            "${user.home}",
            "<script>");

    private record Operation(String name, Set<String> path, Set<String> query, boolean ifMatch, List<String> types) {}

    private final List<Operation> all = new ArrayList<>();
    private final List<Operation> withBody;

    HostileRequests(OpenApiDocument document) {
        document.operations().forEach((name, operation) -> {
            if (!operation.at("/responses/200/content").has("text/event-stream")) {
                all.add(new Operation(
                        name,
                        document.parameters(name, "path"),
                        document.parameters(name, "query"),
                        document.parameters(name, "header").contains("If-Match"),
                        List.copyOf(operation.at("/requestBody/content").propertyNames())));
            }
        });
        withBody = all.stream().filter(operation -> !operation.types.isEmpty()).toList();
    }

    Request request(long seed) {
        return new Generation(new Random(seed)).request();
    }

    /** The choices of one request. Not thread-safe. */
    private final class Generation {

        private final Random random;

        Generation(Random random) {
            this.random = random;
        }

        Request request() {
            Operation operation = pick(random.nextInt(3) > 0 ? withBody : all);
            String template = operation.name.split(" ", 2)[1];
            String path = template;
            for (String name : operation.path) {
                String key = name.equals("name") ? template.split("/", 3)[1] + " name" : name;
                path = path.replace("{" + name + "}", encoded(parameter(key, 12)));
            }
            List<String> query = new ArrayList<>();
            for (String name : operation.query) {
                for (int i = random.nextInt(10) == 0 ? random.nextInt(4) : random.nextInt(3) > 0 ? 1 : 0; i > 0; i--) {
                    query.add(name + (random.nextInt(40) == 0 ? "" : "=" + encoded(parameter(name, 6))));
                }
            }
            List<String> headers = new ArrayList<>();
            byte[] body = operation.types.isEmpty() && random.nextInt(6) > 0 ? null : body(operation);
            if (body != null) {
                body = typed(operation, headers, body);
            }
            if (operation.ifMatch && random.nextInt(4) == 0) {
                headers.addAll(List.of("If-Match", printable(parameter("If-Match", 2))));
            }
            if (random.nextInt(10) == 0) {
                headers.addAll(List.of("Accept", pick(List.of("text/csv", "text/html", "*/*;q=2", ";", "a/b;q=0"))));
            }
            return new Request(
                    operation.name, path + (query.isEmpty() ? "" : "?" + String.join("&", query)), headers, body);
        }

        /** @param oneOf of how many values one is wrong */
        private byte[] parameter(String name, int oneOf) {
            List<byte[]> valid = bytes(Objects.requireNonNull(VALUES.get(name), name));
            if (random.nextInt(oneOf) > 0) {
                return pick(valid);
            }
            return random.nextInt(3) > 0
                    ? pick(WRONG_PARAMETERS).getBytes(StandardCharsets.UTF_8)
                    : limited(new Mutations(random.nextLong(), valid).next(), 5_000);
        }

        private byte[] body(Operation operation) {
            List<String> valid = operation.types.isEmpty()
                    ? RULES
                    : Objects.requireNonNull(BODIES.get(operation.name), operation.name);
            byte[] body = switch (random.nextInt(8)) {
                case 0 -> utf8(pick(valid));
                case 1 -> utf8(pick(WRONG_DOCUMENTS));
                case 2, 3, 4 -> utf8(changedJson(pick(valid)));
                default -> new Mutations(random.nextLong(), bytes(valid)).next();
            };
            return switch (random.nextInt(12)) {
                case 0 -> Arrays.copyOf(body, random.nextInt(body.length + 1));
                case 1 -> twice(body);
                case 2 -> withInvalidUtf8(body);
                default -> body;
            };
        }

        private byte[] typed(Operation operation, List<String> headers, byte[] body) {
            String type =
                    operation.types.isEmpty() || random.nextInt(8) == 0 ? pick(WRONG_TYPES) : pick(operation.types);
            if (!type.isEmpty()) {
                headers.addAll(List.of("Content-Type", type));
            }
            if (random.nextInt(40) == 0) {
                headers.addAll(List.of("Content-Type", pick(WRONG_TYPES)));
            }
            if (random.nextInt(40) == 0) {
                headers.addAll(List.of("Content-Encoding", "gzip"));
                return random.nextBoolean() ? body : gzip(body);
            }
            return body;
        }

        /** Returns a JSON document with one to three wrong values or members; of YAML, a wrong document. */
        private String changedJson(String valid) {
            if (!valid.startsWith("{")) {
                return pick(WRONG_DOCUMENTS);
            }
            StringBuilder changed = new StringBuilder();
            write(JsonMapper.shared().readTree(valid), changed);
            return changed.toString();
        }

        private void write(JsonNode node, StringBuilder out) {
            if (random.nextInt(12) == 0) {
                out.append(pick(WRONG_VALUES));
            } else if (node.isObject()) {
                out.append('{');
                Iterator<Map.Entry<String, JsonNode>> members =
                        node.properties().iterator();
                while (members.hasNext()) {
                    Map.Entry<String, JsonNode> member = members.next();
                    for (int i = copies(); i > 0; i--) {
                        out.append(random.nextInt(40) == 0 ? pick(WRONG_VALUES) : '"' + member.getKey() + '"')
                                .append(':');
                        write(member.getValue(), out);
                        out.append(i > 1 || members.hasNext() ? "," : "");
                    }
                }
                out.append('}');
            } else if (node.isArray()) {
                out.append('[');
                for (int index = 0; index < node.size(); index++) {
                    for (int i = copies(); i > 0; i--) {
                        write(node.get(index), out);
                        out.append(i > 1 || index < node.size() - 1 ? "," : "");
                    }
                }
                out.append(']');
            } else {
                out.append(node);
            }
        }

        /** How often a member or an element is written. */
        private int copies() {
            return switch (random.nextInt(30)) {
                case 0 -> 0;
                case 1 -> 2;
                case 2 -> 1 + random.nextInt(200);
                default -> 1;
            };
        }

        private byte[] withInvalidUtf8(byte[] body) {
            byte[] invalid = body.clone();
            for (int i = 1 + random.nextInt(3); i > 0 && invalid.length > 0; i--) {
                invalid[random.nextInt(invalid.length)] = (byte) (0x80 + random.nextInt(0x80));
            }
            return invalid;
        }

        private <T> T pick(List<T> list) {
            return list.get(random.nextInt(list.size()));
        }
    }

    private static byte[] twice(byte[] body) {
        byte[] twice = Arrays.copyOf(body, 2 * body.length);
        System.arraycopy(body, 0, twice, body.length, body.length);
        return twice;
    }

    private static byte[] gzip(byte[] body) {
        ByteArrayOutputStream zipped = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(zipped)) {
            out.write(body);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return zipped.toByteArray();
    }

    /** Percent-encodes everything but letters and digits: the client sends the bytes as they are. */
    private static String encoded(byte[] value) {
        StringBuilder text = new StringBuilder();
        for (byte b : value) {
            text.append(Character.isLetterOrDigit((char) b) && b > 0 ? "" + (char) b : String.format("%%%02X", b));
        }
        return text.toString();
    }

    /** Returns a text that the client can send in a header. */
    private static String printable(byte[] value) {
        return new String(value, StandardCharsets.US_ASCII).replaceAll("[^ -~]", "?");
    }

    private static byte[] limited(byte[] bytes, int length) {
        return bytes.length > length ? Arrays.copyOf(bytes, length) : bytes;
    }

    private static List<byte[]> bytes(List<String> texts) {
        return texts.stream().map(HostileRequests::utf8).toList();
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
