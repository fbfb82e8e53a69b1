package io.millrace.web.answer;

import io.millrace.web.request.ApiErrorCode;
import io.millrace.web.request.ApiException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.InvalidMediaTypeException;
import org.springframework.http.MediaType;
import org.springframework.util.MimeTypeUtils;

/** The format of an answer. */
enum AnswerFormat {
    JSON("application/json"),
    CSV("text/csv;charset=UTF-8"),
    /** CSV whose texts a spreadsheet does not take for formulas. */
    SPREADSHEET(CSV.mediaType);

    private final String mediaType;

    AnswerFormat(String mediaType) {
        this.mediaType = mediaType;
    }

    /** Returns the value of {@code Content-Type}. */
    MediaType mediaType() {
        return MediaType.parseMediaType(mediaType);
    }

    /**
     * Returns the format that a request selects.
     *
     * @param format parameter of the request, which takes precedence
     * @param headers of the request, whose {@code Accept} names the formats that its client accepts
     * @throws ApiException if there is no such format
     */
    static AnswerFormat of(@Nullable String format, HttpHeaders headers) {
        if (format == null) {
            return accepted(headers);
        }
        return switch (format.toLowerCase(Locale.ROOT)) {
            case "json" -> JSON;
            case "csv" -> CSV;
            case "spreadsheet" -> SPREADSHEET;
            default ->
                throw new ApiException(
                        ApiErrorCode.BAD_QUERY, "Invalid format '" + format + "'. Use one of: json, csv, spreadsheet.");
        };
    }

    private static AnswerFormat accepted(HttpHeaders headers) {
        List<MediaType> accepted;
        try {
            accepted = new ArrayList<>(headers.getAccept());
        } catch (InvalidMediaTypeException | IndexOutOfBoundsException e) { // the latter for quotes before a space
            throw new ApiException(ApiErrorCode.NOT_ACCEPTABLE, String.valueOf(e.getMessage()));
        }
        MimeTypeUtils.sortBySpecificity(accepted);
        if (accepted.isEmpty()) {
            return JSON;
        }
        for (MediaType type : accepted) {
            for (AnswerFormat format : values()) {
                if (type.includes(format.mediaType())) {
                    return format;
                }
            }
        }
        throw new ApiException(
                ApiErrorCode.NOT_ACCEPTABLE,
                "Unsupported Accept header '" + accepted + "'. Use one of: application/json, text/csv.");
    }
}
