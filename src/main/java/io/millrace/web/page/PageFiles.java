package io.millrace.web.page;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.http.CacheControl;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import org.springframework.http.MediaTypeFactory;
import org.springframework.http.server.PathContainer;
import org.springframework.web.reactive.function.server.HandlerFunction;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;

/**
 * Serves the files of the page and of its libraries from memory, each read from the jar once: requests that are aborted
 * while a file of a jar is sent could close the jar for all others. The headers belong to the file, not to the path, of
 * which there are several spellings. Only the executable has it. Thread-safe.
 */
public final class PageFiles implements RouterFunction<ServerResponse> {

    private static final String FOLDER = "/millrace/page/";
    private static final String INDEX = "index.html";
    private static final String LIBRARIES = "/META-INF/resources/";
    private static final Pattern LIBRARY = Pattern.compile("webjars/(?:[a-z0-9][a-z0-9.-]*/)+[a-z0-9][a-z0-9.-]*\\.js");
    private static final Pattern NAME = Pattern.compile("(?:[a-z-]+/)*[a-z-]+\\.[a-z]+");
    /** The patterns would need a deep stack for a long name. */
    private static final int MAX_NAME_LENGTH = 100;

    private static final int TAG_BYTES = 16;

    private final Map<String, PageFile> files = new ConcurrentHashMap<>();

    /**
     * A file of the page.
     *
     * @param tag changes with its content
     * @param policy the Content-Security-Policy of a document; null if it is none
     */
    private record PageFile(
            byte[] content,
            MediaType type,
            String tag,
            @Nullable String policy) {

        static @Nullable PageFile read(String path) {
            try (InputStream file = PageFiles.class.getResourceAsStream(path)) {
                if (file == null) {
                    return null;
                }
                byte[] content = file.readAllBytes();
                MediaType type = MediaTypeFactory.getMediaType(path).orElse(MediaType.APPLICATION_OCTET_STREAM);
                return new PageFile(
                        content,
                        type,
                        "\"" + HexFormat.of().formatHex(ContentPolicy.sha256(content), 0, TAG_BYTES) + "\"",
                        type.equals(MediaType.TEXT_HTML)
                                ? ContentPolicy.of(new String(content, StandardCharsets.UTF_8))
                                : null);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        Mono<ServerResponse> response() {
            return ServerResponse.ok()
                    .contentType(type)
                    .cacheControl(CacheControl.noCache())
                    .eTag(tag)
                    .headers(headers -> {
                        headers.set("X-Content-Type-Options", "nosniff");
                        // Otherwise browsers send the forms that sign in and out with the origin "null".
                        headers.set("Referrer-Policy", "same-origin");
                        if (policy != null) {
                            headers.set("Content-Security-Policy", policy);
                        }
                    })
                    .bodyValue(content);
        }
    }

    @Override
    public Mono<HandlerFunction<ServerResponse>> route(ServerRequest request) {
        if (!request.method().equals(HttpMethod.GET) && !request.method().equals(HttpMethod.HEAD)) {
            return Mono.empty();
        }
        String name = name(request.requestPath().pathWithinApplication());
        PageFile file = name.length() > MAX_NAME_LENGTH ? null : file(name);
        return file == null ? Mono.empty() : Mono.just(_ -> file.response());
    }

    private @Nullable PageFile file(String name) {
        if (LIBRARY.matcher(name).matches()) {
            return find(LIBRARIES + name);
        }
        return NAME.matcher(name).matches() ? find(FOLDER + name) : null;
    }

    private @Nullable PageFile find(String path) {
        PageFile known = files.get(path);
        if (known == null) {
            known = PageFile.read(path);
            if (known != null) {
                files.put(path, known);
            }
        }
        return known;
    }

    /** Returns the decoded segments of a path; no name of a file if one of them contains a slash. */
    private static String name(PathContainer path) {
        String name = path.elements().stream()
                .filter(PathContainer.PathSegment.class::isInstance)
                .map(segment -> ((PathContainer.PathSegment) segment).valueToMatch())
                .map(segment -> segment.replace('/', '\\'))
                .collect(Collectors.joining("/"));
        return name.isEmpty() ? INDEX : name;
    }
}
