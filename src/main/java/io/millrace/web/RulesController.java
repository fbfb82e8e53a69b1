package io.millrace.web;

import io.millrace.pipeline.Pipelines;
import io.millrace.pipeline.rules.FollowedRules;
import io.millrace.pipeline.rules.RuleChange;
import io.millrace.pipeline.rules.RuleChanges;
import io.millrace.pipeline.rules.RuleConflictException;
import io.millrace.pipeline.rules.RuleHistory;
import io.millrace.pipeline.rules.RuleResult;
import io.millrace.pipeline.rules.RulesException;
import io.millrace.pipeline.shadow.Shadows;
import io.millrace.store.write.RuleVersion;
import io.millrace.web.RulesView.ResultView;
import io.millrace.web.RulesView.TextView;
import io.millrace.web.RulesView.VersionView;
import io.millrace.web.request.ApiErrorCode;
import io.millrace.web.request.ApiException;
import io.millrace.web.request.ApiPath;
import io.millrace.web.request.RequestSender;
import io.millrace.web.request.RequestValue;
import io.millrace.web.request.Workers;
import java.security.Principal;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

/** Returns and changes the rules of pipelines. The entity tag is the number of the newest version. */
@RestController
@RequestMapping(ApiPath.BASE + "/pipelines/{name}/rules")
class RulesController {

    private static final String ORIGIN = "http";
    private static final Pattern TAG = Pattern.compile("(?:W/)?\"(\\d{1,18})\"");

    private final Pipelines pipelines;
    private final RuleChanges changes;
    private final Shadows shadows;

    RulesController(Pipelines pipelines, RuleChanges changes, Shadows shadows) {
        this.pipelines = pipelines;
        this.changes = changes;
        this.shadows = shadows;
    }

    @GetMapping
    Mono<ResponseEntity<RulesView>> all(@PathVariable String name) {
        return Workers.run(() -> {
            FollowedRules rules = named(name);
            RulesView view =
                    RulesView.of(rules, shadows.of(rules.pipeline().name()).isPresent());
            return tagged(view.newest(), view);
        });
    }

    @GetMapping("/{number}")
    Mono<TextView> one(@PathVariable String name, @PathVariable String number) {
        long version = RequestValue.number("version", number, ApiErrorCode.BAD_REQUEST);
        return Workers.run(() -> {
            RuleHistory history = named(name).history();
            RuleVersion found = history.get(version);
            if (found == null) {
                throw new ApiException(
                        ApiErrorCode.UNKNOWN_VERSION,
                        "Unknown version " + version + " of the rules of pipeline '" + name
                                + "'. Use the number of a version in its history.");
            }
            return new TextView(VersionView.of(found, history.uses()), found.text());
        });
    }

    /** Checks new rules, adds them as a version, and applies them. */
    @PostMapping
    Mono<ResponseEntity<ResultView>> change(
            @PathVariable String name,
            @RequestBody String text,
            @RequestParam(defaultValue = "") String comment,
            @RequestParam(defaultValue = "false") String dryRun,
            @RequestParam(defaultValue = "false") String skipTests,
            @RequestHeader(name = HttpHeaders.IF_MATCH, required = false) @Nullable String ifMatch,
            @RequestAttribute(name = RequestSender.ATTRIBUTE, required = false) @Nullable String from,
            @Nullable Principal user) {
        RuleChange change = change(user, from, comment, ifMatch, RequestValue.flag("dryRun", dryRun), skipTests);
        return Workers.run(() -> answer(named(name), () -> changes.change(name, text, change)));
    }

    /** Adds a version with the content of an earlier one, and applies it. Tests that fail are warnings. */
    @PostMapping("/rollback")
    Mono<ResponseEntity<ResultView>> rollback(
            @PathVariable String name,
            @RequestParam String to,
            @RequestParam(defaultValue = "") String comment,
            @RequestHeader(name = HttpHeaders.IF_MATCH, required = false) @Nullable String ifMatch,
            @RequestAttribute(name = RequestSender.ATTRIBUTE, required = false) @Nullable String from,
            @Nullable Principal user) {
        long number = RequestValue.number("to", to, ApiErrorCode.BAD_REQUEST);
        RuleChange change = change(user, from, comment, ifMatch, false, "false");
        return Workers.run(() -> answer(named(name), () -> changes.rollback(name, number, change)));
    }

    /** Returns the properties of a change. */
    static RuleChange change(
            @Nullable Principal user,
            @Nullable String from,
            String comment,
            @Nullable String ifMatch,
            boolean dryRun,
            String skipTests) {
        return new RuleChange(
                RequestSender.user(user),
                from == null ? RequestSender.UNKNOWN : from,
                ORIGIN,
                comment,
                expected(ifMatch),
                dryRun,
                RequestValue.flag("skipTests", skipTests));
    }

    private static @Nullable Long expected(@Nullable String ifMatch) {
        if (ifMatch == null || ifMatch.equals("*")) {
            return null;
        }
        Matcher tag = TAG.matcher(ifMatch.strip());
        if (!tag.matches()) {
            throw new ApiException(
                    ApiErrorCode.BAD_VERSION,
                    "Invalid If-Match '" + ifMatch
                            + "'. Use the number of the newest version in quotes, such as \"7\".");
        }
        return Long.valueOf(tag.group(1));
    }

    /** An action that changes rules. */
    interface Action {
        RuleResult run();
    }

    /** Returns the response after an action, or throws why it was refused. */
    static ResponseEntity<ResultView> answer(FollowedRules rules, Action action) {
        try {
            RuleResult result = action.run();
            return tagged(result.version().number(), ResultView.of(result, rules.history()));
        } catch (RulesException e) {
            throw refused(e);
        } catch (RuleConflictException e) {
            throw new ApiException(
                    ApiErrorCode.RULES_CHANGED, String.valueOf(e.getMessage()), Map.of("newest", e.newest()));
        } catch (NoSuchElementException e) {
            throw new ApiException(ApiErrorCode.UNKNOWN_VERSION, String.valueOf(e.getMessage()));
        } catch (IllegalStateException e) {
            throw new ApiException(ApiErrorCode.NOT_STARTED, String.valueOf(e.getMessage()));
        }
    }

    /** Returns the error of a request with rules that can't be used. */
    static ApiException refused(RulesException e) {
        ApiErrorCode code = switch (e.reason()) {
            case NOT_LIVE -> ApiErrorCode.RULES_NOT_LIVE;
            case INVALID -> ApiErrorCode.RULES_INVALID;
            case TESTS_FAILED -> ApiErrorCode.RULES_TESTS_FAILED;
        };
        return new ApiException(code, String.valueOf(e.getMessage()), Map.of("mistakes", e.mistakes()));
    }

    private static <T> ResponseEntity<T> tagged(long newest, T body) {
        return ResponseEntity.ok().eTag("\"" + newest + "\"").body(body);
    }

    private FollowedRules named(String name) {
        return named(pipelines, changes, name);
    }

    /** Returns the rules of the pipeline with a name. */
    static FollowedRules named(Pipelines pipelines, RuleChanges changes, String name) {
        String known = KnownPipelines.named(pipelines, name).name();
        return changes.of(known).orElseThrow();
    }
}
