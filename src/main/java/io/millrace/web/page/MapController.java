package io.millrace.web.page;

import io.millrace.web.request.ApiErrorCode;
import io.millrace.web.request.ApiException;
import io.millrace.web.request.ApiPath;
import io.millrace.web.request.Workers;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

/** Returns the map, if one is configured. */
@RestController
@RequestMapping(ApiPath.BASE + MapController.PATH)
class MapController {

    static final String PATH = "/map";

    private static final String OUTLINE = "/outline";
    private static final MediaType GEO_JSON = MediaType.valueOf("application/geo+json");

    private final Optional<PlaceMap> map;
    private final String outlinePath;

    /**
     * @param map null if none is configured
     * @param basePath path of the HTTP API
     */
    MapController(@Nullable PlaceMap map, String basePath) {
        this.map = Optional.ofNullable(map);
        this.outlinePath = basePath + PATH + OUTLINE;
    }

    /** Returns the map's settings and places. */
    @GetMapping
    Mono<MapView> map() {
        return Workers.run(() -> MapView.of(
                map.orElseThrow(
                        () -> new ApiException(ApiErrorCode.NO_MAP, "No map is configured. Set 'millrace.page.map'.")),
                outlinePath));
    }

    /** Returns the shapes below the places. */
    @GetMapping(OUTLINE)
    ResponseEntity<byte[]> outline() {
        Outline outline = map.map(PlaceMap::outline)
                .orElseThrow(() -> new ApiException(
                        ApiErrorCode.NO_OUTLINE, "The map has no outline. Set 'millrace.page.map.outline'."));
        return ResponseEntity.ok().contentType(GEO_JSON).body(outline.json());
    }
}
