package io.millrace;

import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;

/** Hostile HTTP requests, generated from a seed: equal seeds give equal requests. Not thread-safe. */
final class AbuseCorpus {

    /** How a request is to be treated. */
    enum Kind {
        /** Has exactly one response. */
        COMPLETE,
        /** May be refused by closing the connection. Its output is ended after it. */
        MALFORMED,
        /** Several in one write; each has a response, or the connection is closed after one. */
        PIPELINED,
        /** Never ends: the client resets the connection. */
        ABANDONED
    }

    /**
     * A request.
     *
     * @param name of what generated it, for reports
     * @param responses how many it has
     */
    record Request(String name, Kind kind, byte[] bytes, boolean head, int responses) {

        /** Returns the target without its query, as far as it can be reported. */
        String target() {
            String line = new String(bytes, 0, Math.min(bytes.length, 100), StandardCharsets.ISO_8859_1);
            return line.replaceFirst("(?s)[?\\r\\n].*", "");
        }

        boolean hasValidTarget() {
            String[] line = new String(bytes, StandardCharsets.ISO_8859_1).split("[ \r]", 3);
            try {
                return line.length > 1 && URI.create(line[1]).getRawPath() != null;
            } catch (IllegalArgumentException e) {
                return false;
            }
        }

        @Override
        public String toString() {
            String text = new String(bytes, 0, Math.min(bytes.length, 400), StandardCharsets.ISO_8859_1);
            return name + " (" + bytes.length + " bytes): " + text.replace("\r\n", "⏎");
        }
    }

    private static final List<String> METHODS = List.of(
            "GET",
            "GET",
            "GET",
            "GET",
            "GET",
            "GET",
            "HEAD",
            "POST",
            "PUT",
            "DELETE",
            "PATCH",
            "OPTIONS",
            "TRACE",
            "CONNECT",
            "PROPFIND",
            "get",
            "X");

    private static final List<String> PATHS = List.of(
            "/api/pipelines",
            "/api/pipelines/trades",
            "/api/pipelines/trades/explain",
            "/api/pipelines/live/taps",
            "/api/pipelines/trades/replay",
            "/api/measures",
            "/api/measures/turnover",
            "/api/alerts",
            "/api/regions",
            "/api/regions/buys",
            "/api/regions/trades-rejected",
            "/api/regions/buys/17",
            "/api/regions/last/GBP",
            "/api/regions/last/records",
            "/api/regions/buys/records",
            "/api/regions/buys/aggregate",
            "/api/regions/trades-rejected/records",
            "/api/catalog",
            "/api/tables",
            "/api/tables/desks",
            "/api/tables/desks/reload",
            "/api/live/history",
            "/api/map",
            "/api/map/outline",
            "/api/user",
            "/api/nothing",
            "/",
            "/index.html",
            "/sign-in.html",
            "/sign-out",
            "/js/theme.js",
            "/actuator",
            "/actuator/health",
            "/actuator/health/readiness",
            // Not of a component that does not exist: below it, Spring Boot 4.0.7 fails with status 500.
            "/actuator/health/pipelines",
            "/actuator/info",
            "/actuator/metrics",
            "/actuator/metrics/jvm.memory.used",
            "/actuator/metrics/nothing",
            "/actuator/prometheus",
            "/actuator/env",
            "/actuator/heapdump",
            "/actuator/integrationgraph");

    private static final List<String> STREAMS = List.of(
            "/api/live",
            "/api/alerts/stream",
            "/api/measures/turnover/stream",
            "/api/measures/turnover/stream?interval=60000&limit=10000",
            "/api/pipelines/live/taps/admitted",
            "/api/pipelines/live/taps/nothing",
            "/api/measures/nothing/stream");

    private static final List<String> PARAMETERS = List.of(
            "where",
            "where",
            "where",
            "select",
            "orderBy",
            "by",
            "values",
            "limit",
            "timeout",
            "format",
            "windows",
            "interval",
            "nothing");

    private static final List<String> HEADERS = List.of(
            "Range: bytes=0-18446744073709551615",
            "Range: bytes=0-0,1-1,2-2,3-3,4-4,5-5,6-6,7-7,8-8",
            "Range: bytes=-",
            "If-Modified-Since: not a date",
            "If-None-Match: " + "\"x\",".repeat(500),
            "Accept: text/event-stream",
            "Accept: text/csv",
            "Accept: application/xml",
            "Accept: ;;;;",
            "Accept: */*;q=2",
            "Accept: text/html;" + "a=b;".repeat(300),
            "Accept-Encoding: gzip, deflate, br, x;q=9",
            "Accept-Language: " + "de,".repeat(400),
            "Accept-Charset: nothing",
            "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAA",
            "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__",
            "Expect: 100-continue",
            "Expect: nothing",
            "Origin: null",
            "Origin: http://evil.example",
            "Origin: :::",
            "Origin: http://127.0.0.1\r\nAccess-Control-Request-Method: PUT",
            "Referer: http://evil.example/",
            "X-Forwarded-For: 1.2.3.4\r\nX-Forwarded-Proto: gopher\r\nX-Forwarded-Host: evil.example",
            "Forwarded: for=\"[::1]\";proto=;host=@",
            "X-HTTP-Method-Override: DELETE",
            "Content-Type: nothing",
            "Content-Type: application/json;charset=nothing",
            "Content-Encoding: gzip",
            "Cookie: SESSION=" + "A".repeat(2000),
            "Cookie: millrace=;;;=;=a; ",
            "Cookie: " + "a=b; ".repeat(1000),
            "Authorization: Basic",
            "Authorization: Basic %%%",
            "Authorization: Basic " + Base64.getEncoder().encodeToString(new byte[1500]),
            "Authorization: Bearer " + "e".repeat(3000),
            "Authorization: Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJhZG1pbiJ9.",
            "Authorization: Digest username=\"admin\"",
            "traceparent: 00-zz-zz-zz",
            "X-Long: " + "x".repeat(7000),
            "X-Requested-With: x");

    private static final List<String> BODIES = List.of(
            "",
            "{}",
            "{\"rate\":-1}",
            "{\"rate\":9223372036854775808}",
            "{\"rate\":1e400}",
            "{\"rate\":" + "9".repeat(2000) + "}",
            "{\"rate\":0.5,\"paused\":3}",
            "{\"paused\":\"perhaps\"}",
            "{\"paused\":false,\"paused\":false}",
            "{\"nothing\":[" + "1,".repeat(1000) + "1]}",
            "{\"rate\":null,\"paused\":null}",
            "null",
            "[]",
            "\"",
            "[".repeat(5000),
            "{\"a\":".repeat(5000),
            "{\"rate\":\"" + "x".repeat(100_000) + "\"}",
            "\u0000\u0000",
            "<?xml version=\"1.0\"?><!DOCTYPE a [<!ENTITY b SYSTEM \"file:///etc/passwd\">]><a>&b;</a>",
            "username=admin&password=" + "x".repeat(5000),
            "username=%00&password=%ff%fe",
            "username=a&username=b&password=c&password=d");

    private static final List<String> CONTENT_TYPES = List.of(
            "application/json",
            "application/json",
            "application/json",
            "application/x-www-form-urlencoded",
            "multipart/form-data; boundary=x",
            "multipart/form-data",
            "text/plain",
            "application/xml",
            "application/octet-stream",
            "text/event-stream",
            "application/json; charset=utf-32",
            "*/*");

    private final Random random;
    private final List<String> authorizations;

    /** @param authorizations values of the header that some requests have */
    AbuseCorpus(long seed, List<String> authorizations) {
        this.random = new Random(seed);
        this.authorizations = authorizations;
    }

    Request next() {
        int choice = random.nextInt(100);
        if (choice < 60) {
            return parameters();
        }
        if (choice < 72) {
            return bodies();
        }
        if (choice < 80) {
            return paths();
        }
        if (choice < 84) {
            return pipelined();
        }
        if (choice < 88) {
            return abandoned();
        }
        return malformed();
    }

    private Request parameters() {
        String method = random.nextInt(4) > 0 ? "GET" : pick(METHODS);
        StringBuilder target = new StringBuilder(pick(PATHS));
        int count = random.nextInt(60) == 0 ? 3000 : random.nextInt(4);
        for (int i = 0; i < count; i++) {
            target.append(i == 0 ? '?' : '&').append(pick(PARAMETERS));
            if (count == 3000) {
                target.append('=').append(i);
            } else if (random.nextInt(20) > 0) {
                target.append('=').append(encoded(value()));
            }
        }
        return complete("parameters", method, target.toString(), headers(), new byte[0]);
    }

    private Request bodies() {
        String path = random.nextInt(3) > 0
                ? pick(List.of("/api/pipelines/trades/replay", "/sign-in.html", "/api/tables/desks/reload"))
                : pick(PATHS);
        byte[] body = random.nextInt(8) == 0 ? bytes(random.nextInt(300_000)) : utf8(pick(BODIES));
        String method = path.endsWith("play") ? "PUT" : pick(List.of("POST", "POST", "PUT", "PATCH", "DELETE", "GET"));
        return complete("body", method, path, headers() + "Content-Type: " + pick(CONTENT_TYPES) + "\r\n", body);
    }

    /** Other spellings of paths: of one place or another, and of none. */
    private Request paths() {
        String path = pick(PATHS);
        String spelled = pick(List.<Supplier<String>>of(
                        () -> path + "/",
                        () -> "/" + path,
                        () -> path + ";a=b",
                        () -> path.replace("/", "/./"),
                        () -> path + "/../../../etc/passwd",
                        () -> path + "/..%2f..%2fetc%2fpasswd",
                        () -> path + "/%2e%2e/%2e%2e/millrace/service.yml",
                        () -> "/js/..%5c..%5cmillrace/service.yml",
                        () -> "/css/%252e%252e/millrace/service.yml",
                        () -> path + "%00",
                        () -> path + "%",
                        () -> path + "%zz",
                        () -> path + "%c0%ae%c0%ae",
                        () -> path + "/%ff%fe",
                        () -> path.toUpperCase(java.util.Locale.ROOT),
                        () -> path + "/" + encoded(value()),
                        () -> "/api/regions/" + encoded(value()),
                        () -> "/api/regions/last/" + encoded(value()),
                        () -> "/api/pipelines/" + encoded(value()) + "/explain",
                        () -> "/api/tables/" + "%7C".repeat(1 + random.nextInt(3000)),
                        () -> "/a".repeat(2000),
                        () -> "http://evil.example" + path,
                        () -> "*",
                        () -> path + "#fragment",
                        () -> path + "?" + "%26".repeat(2000)))
                .get();
        return complete("path", random.nextInt(4) > 0 ? "GET" : pick(METHODS), spelled, headers(), new byte[0]);
    }

    private Request pipelined() {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        int count = 2 + random.nextInt(30);
        for (int i = 0; i < count; i++) {
            all.writeBytes(complete("", "GET", pick(PATHS), "", new byte[0]).bytes);
        }
        return new Request("pipelined", Kind.PIPELINED, all.toByteArray(), false, count);
    }

    private Request abandoned() {
        byte[] bytes = switch (random.nextInt(5)) {
            case 0, 1 -> complete("", "GET", pick(STREAMS), "Accept: text/event-stream\r\n", new byte[0]).bytes;
            case 2 -> utf8("GET /api/pipelines HTTP/1.1\r\nHost: localhost\r\nX-Slow: ");
            case 3 ->
                utf8("PUT /api/pipelines/trades/replay HTTP/1.1\r\nHost: localhost\r\n"
                        + "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
                        + "400\r\n" + "[".repeat(0x400) + "\r\n");
            default -> complete("", "GET", "/api/regions/buys/records?limit=10000", "", new byte[0]).bytes;
        };
        return new Request("abandoned", Kind.ABANDONED, bytes, false, 0);
    }

    private Request malformed() {
        String authorization = headers();
        byte[] bytes = pick(List.<Supplier<byte[]>>of(
                        () -> bytes(1 + random.nextInt(2000)),
                        () -> utf8("GET /\r\n\r\n"),
                        () -> utf8("GET / HTTP/0.9\r\n\r\n"),
                        () -> utf8("GET / HTTP/2.0\r\nHost: localhost\r\n\r\n"),
                        () -> utf8("GET / HTTP/9.9\r\nHost: localhost\r\n\r\n"),
                        () -> utf8("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\u0000\u0000\u0000\u0004\u0000"),
                        () -> new byte[] {22, 3, 1, 2, 0, 1, 0, 1, (byte) 252, 3, 3},
                        () -> utf8("GET / HTTP/1.1\r\n\r\n"),
                        () -> utf8("GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n"),
                        () -> utf8("GET / HTTP/1.1\r\nHost: " + encoded(value()) + "\r\n\r\n"),
                        () -> utf8("GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n"),
                        () -> utf8("GET / HTTP/1.1\nHost: localhost\n\n"),
                        () -> utf8("GET / HTTP/1.1\r\nHost: localhost\r\n X: folded\r\n\r\n"),
                        () -> utf8("GET / HTTP/1.1\r\nHost: localhost\r\nCookie: a=\u0001\r\n\r\n"),
                        () -> utf8("GET / HTTP/1.1\r\nHost: localhost\r\nno colon\r\n\r\n"),
                        () -> utf8("GET / HTTP/1.1\r\nHost: localhost\r\nX: a\u0000b\r\n\r\n"),
                        () -> utf8("GET /" + "a".repeat(70_000) + " HTTP/1.1\r\nHost: localhost\r\n\r\n"),
                        () -> utf8("GET / HTTP/1.1\r\nHost: localhost\r\nX: " + "a".repeat(20_000) + "\r\n\r\n"),
                        () -> utf8("GET / HTTP/1.1\r\nHost: localhost\r\n" + "a: b\r\n".repeat(5000) + "\r\n"),
                        () -> utf8("GET /\u00e9\u0000\u0007 HTTP/1.1\r\nHost: localhost\r\n\r\n"),
                        () -> utf8("GET /api/regions/buys/records?where=<>\"{}|^` HTTP/1.1\r\nHost: localhost\r\n\r\n"),
                        () -> utf8("POST /api/tables/desks/reload HTTP/1.1\r\nHost: localhost\r\n" + authorization
                                + "Content-Length: -1\r\n\r\n"),
                        () -> utf8("POST /api/tables/desks/reload HTTP/1.1\r\nHost: localhost\r\n" + authorization
                                + "Content-Length: 99999999999999999999\r\n\r\n"),
                        () -> utf8("PUT /api/pipelines/trades/replay HTTP/1.1\r\nHost: localhost\r\n" + authorization
                                + "Content-Type: application/json\r\nContent-Length: 2000000000\r\n\r\n{"),
                        () -> utf8("PUT /api/pipelines/trades/replay HTTP/1.1\r\nHost: localhost\r\n" + authorization
                                + "Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}"),
                        () -> utf8("PUT /api/pipelines/trades/replay HTTP/1.1\r\nHost: localhost\r\n" + authorization
                                + "Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
                        () -> utf8("PUT /api/pipelines/trades/replay HTTP/1.1\r\nHost: localhost\r\n" + authorization
                                + "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nffffffffff\r\n"),
                        () -> utf8("PUT /api/pipelines/trades/replay HTTP/1.1\r\nHost: localhost\r\n" + authorization
                                + "Transfer-Encoding: nothing\r\n\r\n{}"),
                        () -> tampered(complete("", "GET", pick(PATHS), headers(), new byte[0]).bytes)))
                .get();
        return new Request("malformed", Kind.MALFORMED, bytes, false, 1);
    }

    private byte[] tampered(byte[] request) {
        for (int i = 1 + random.nextInt(4); i > 0; i--) {
            request[random.nextInt(request.length)] = (byte) random.nextInt();
        }
        return request;
    }

    private Request complete(String name, String method, String target, String headers, byte[] body) {
        String length = body.length == 0 && !method.startsWith("P") ? "" : "Content-Length: " + body.length + "\r\n";
        byte[] head = utf8(method + " " + target + " HTTP/1.1\r\nHost: localhost\r\n" + headers + length + "\r\n");
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.writeBytes(head);
        bytes.writeBytes(body);
        return new Request(name, Kind.COMPLETE, bytes.toByteArray(), method.equals("HEAD"), 1);
    }

    private String headers() {
        StringBuilder headers = new StringBuilder();
        if (!authorizations.isEmpty() && random.nextInt(8) > 0) {
            headers.append("Authorization: ").append(pick(authorizations)).append("\r\n");
        } else if (random.nextInt(3) == 0) {
            headers.append(pick(HEADERS)).append("\r\n");
        }
        return headers.toString();
    }

    private String value() {
        return pick(List.<Supplier<String>>of(
                        () -> "",
                        () -> " ",
                        () -> "\u0000",
                        () -> "0",
                        () -> "-1",
                        () -> "1",
                        () -> "10000",
                        () -> "9223372036854775807",
                        () -> "-9223372036854775808",
                        () -> "9".repeat(400),
                        () -> "1e308",
                        () -> "NaN",
                        () -> "0x7fffffff",
                        () -> "1s",
                        () -> "1ns",
                        () -> "PT1S",
                        () -> "P9999999999999D",
                        () -> "-5s",
                        () -> "9223372036854775807d",
                        () -> "csv",
                        () -> "json",
                        () -> "xml",
                        () -> "id",
                        () -> "amount1 desc",
                        () -> "currency1, currency2, desk",
                        () -> "count(), sum(amount1), max(id)",
                        () -> "sum(" + "id + ".repeat(random.nextInt(600)) + "id)",
                        () -> "count()".repeat(random.nextInt(50)),
                        () -> "count(),".repeat(random.nextInt(800)),
                        () -> "id == " + random.nextLong(),
                        () -> "id in {1,2,3}",
                        () -> "{" + "'GBP',".repeat(random.nextInt(500)) + "'GBP'}.contains(currency1)",
                        () -> "currency1 == 'GBP' and amount1 > 100",
                        () -> "amount1 / (id - id) > 0",
                        () -> "id * 9223372036854775807 > 0",
                        () -> "1 / 0 == 0",
                        () -> "currency1 == '" + "x".repeat(random.nextInt(4200)) + "'",
                        () -> "(".repeat(random.nextInt(4200)),
                        () -> "(".repeat(1500) + "id == 1" + ")".repeat(1500),
                        () -> "!".repeat(random.nextInt(4000)) + "true",
                        () -> "not ".repeat(random.nextInt(1000)) + "true",
                        () -> "-".repeat(random.nextInt(4000)) + "id > 0",
                        () -> "id == 1" + " or id == 1".repeat(random.nextInt(360)),
                        () -> "id ? 1 : ".repeat(random.nextInt(400)) + "1 == 1",
                        () -> "true ? ".repeat(random.nextInt(500)) + "true" + " : true".repeat(random.nextInt(500)),
                        () -> "id" + ".id".repeat(random.nextInt(1300)),
                        () -> "[".repeat(random.nextInt(2000)),
                        () -> "{".repeat(random.nextInt(2000)) + "}".repeat(random.nextInt(2000)),
                        () -> "desk matches '(a+)+$'",
                        () -> "desk matches '(.*a){" + random.nextInt(2000) + "}'",
                        () -> "desk matches '" + "(a|b)*".repeat(random.nextInt(300)) + "c'",
                        () -> "desk matches '" + "(".repeat(random.nextInt(2000)) + "'",
                        () -> "desk matches '((a{1,1000}){1,1000}){1,1000}'",
                        () -> "desk matches '[\u0000-\uffff]{0,500}'",
                        () -> "desk matches '.{0,65535}(a|b|c)'",
                        () -> "T(Runtime).getRuntime()",
                        () -> "new String('a')",
                        () -> "@bean.method()",
                        () -> "#this",
                        () -> "#root['class']",
                        () -> "currency1.class.name",
                        () -> "'a'.repeat(1000000000)",
                        () -> "desk.substring(-1)",
                        () -> "desk.substring(0, 2147483647) == ''",
                        () -> "id.?[true]",
                        () -> "tradeDate > '9999-99-99'",
                        () -> "'unterminated",
                        () -> "\ud800",
                        () -> "\u202e\ufeff\ud83d\ude00".repeat(200),
                        () -> "%n%s%x",
                        () -> "'; DROP TABLE buys; --",
                        () -> "<script>alert(1)</script>",
                        () -> "${jndi:ldap://127.0.0.1:1/a}",
                        () -> "a\r\nSet-Cookie: a=b",
                        () -> "../../../../etc/passwd",
                        this::anything))
                .get();
    }

    private String anything() {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(60); i > 0; i--) {
            text.append((char) (random.nextBoolean() ? 32 + random.nextInt(95) : random.nextInt(0xd800)));
        }
        return text.toString();
    }

    private String encoded(String value) {
        String bounded = value.length() > 8000 ? value.substring(0, 8000) : value;
        return URLEncoder.encode(bounded, StandardCharsets.UTF_8).replace("+", "%20");
    }

    private byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    private <T> T pick(List<T> list) {
        return list.get(random.nextInt(list.size()));
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
