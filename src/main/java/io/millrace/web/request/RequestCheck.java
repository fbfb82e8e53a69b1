package io.millrace.web.request;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.springframework.core.Ordered;
import org.springframework.core.io.buffer.DataBufferLimitException;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.util.StringUtils;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;

/**
 * Handles what the framework would respond to with status 500, or with nothing. Thread-safe.
 *
 * <ul>
 *   <li>A path that is not UTF-8 is refused with status 400.
 *   <li>An {@code Accept} that is not a list of media types is refused with status 406.
 *   <li>A form that can't be decoded is refused with status 400.
 *   <li>{@code Range} is ignored, as RFC 9110 (section 14.2) permits. The framework responds to a range that can't be
 *       satisfied with the length of the whole file and no body, for which the client waits.
 * </ul>
 */
public final class RequestCheck implements WebFilter, Ordered {

    /** Runs after the filter that refuses requests from other sites. */
    @Override
    public int getOrder() {
        return HIGHEST_PRECEDENCE + 2;
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        HttpHeaders headers = exchange.getRequest().getHeaders();
        if (!isUtf8(exchange.getRequest().getURI().getRawPath())) {
            return refuse(exchange, ApiErrorCode.BAD_REQUEST, "Invalid path of the request. Use UTF-8.");
        }
        if (!isValidAccept(headers)) {
            return refuse(
                    exchange,
                    ApiErrorCode.NOT_ACCEPTABLE,
                    "Invalid header 'Accept'. Use a list of media types, such as application/json.");
        }
        ServerWebExchange withoutRange = headers.containsHeader(HttpHeaders.RANGE)
                ? exchange.mutate()
                        .request(request -> request.headers(changed -> changed.remove(HttpHeaders.RANGE)))
                        .build()
                : exchange;
        return isForm(headers)
                ? chain.filter(withoutRange).onErrorResume(RequestCheck::isMalformed, _ -> refuseForm(exchange))
                : chain.filter(withoutRange);
    }

    private static boolean isForm(HttpHeaders headers) {
        String type = headers.getFirst(HttpHeaders.CONTENT_TYPE);
        return type != null && type.startsWith(MediaType.APPLICATION_FORM_URLENCODED_VALUE);
    }

    /** Returns whether the sign-in could not read a form because of a wrong percent encoding or too many bytes. */
    private static boolean isMalformed(Throwable e) {
        return e instanceof IllegalArgumentException || e instanceof DataBufferLimitException;
    }

    private static Mono<Void> refuseForm(ServerWebExchange exchange) {
        return refuse(exchange, ApiErrorCode.BAD_REQUEST, "The form of the request is malformed.");
    }

    private static boolean isUtf8(String rawPath) {
        if (rawPath.indexOf('%') < 0) {
            return true;
        }
        try {
            byte[] path =
                    StringUtils.uriDecode(rawPath, StandardCharsets.ISO_8859_1).getBytes(StandardCharsets.ISO_8859_1);
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(path));
            return true;
        } catch (CharacterCodingException | IllegalArgumentException e) {
            return false;
        }
    }

    private static boolean isValidAccept(HttpHeaders headers) {
        try {
            var _ = headers.getAccept();
            return true;
        } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            return false;
        }
    }

    private static Mono<Void> refuse(ServerWebExchange exchange, ApiErrorCode code, String message) {
        return ProblemResponse.write(exchange.getResponse(), code, message);
    }
}
