package io.millrace.web;

import io.millrace.pipeline.Pipelines;
import io.millrace.pipeline.rules.FollowedRules;
import io.millrace.pipeline.rules.RuleChange;
import io.millrace.pipeline.rules.RuleChanges;
import io.millrace.pipeline.rules.RuleResult;
import io.millrace.pipeline.rules.RulesException;
import io.millrace.pipeline.shadow.RunningShadow;
import io.millrace.pipeline.shadow.ShadowException;
import io.millrace.pipeline.shadow.Shadows;
import io.millrace.web.RulesView.ResultView;
import io.millrace.web.request.ApiErrorCode;
import io.millrace.web.request.ApiException;
import io.millrace.web.request.ApiPath;
import io.millrace.web.request.RequestSender;
import io.millrace.web.request.Workers;
import java.security.Principal;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

/** Compares rules with those of a running pipeline of this process, and applies them. */
@RestController
@RequestMapping(ApiPath.BASE + "/pipelines/{name}/rules/shadow")
class ShadowController {

    private final Pipelines pipelines;
    private final RuleChanges changes;
    private final Shadows shadows;

    ShadowController(Pipelines pipelines, RuleChanges changes, Shadows shadows) {
        this.pipelines = pipelines;
        this.changes = changes;
        this.shadows = shadows;
    }

    @GetMapping
    Mono<ShadowView> report(@PathVariable String name) {
        return Workers.run(() -> ShadowView.of(name, shadow(named(name))));
    }

    /** Starts to compare rules. */
    @PostMapping
    Mono<ShadowView> start(@PathVariable String name, @RequestBody String text, @Nullable Principal user) {
        return Workers.run(() -> {
            FollowedRules rules = named(name);
            try {
                return ShadowView.of(name, shadows.start(rules, text, RequestSender.user(user)));
            } catch (RulesException e) {
                throw RulesController.refused(e);
            } catch (ShadowException e) {
                throw new ApiException(ApiErrorCode.SHADOW_NOT_POSSIBLE, String.valueOf(e.getMessage()));
            }
        });
    }

    @DeleteMapping
    @ResponseStatus(HttpStatus.NO_CONTENT)
    Mono<Void> stop(@PathVariable String name) {
        return Workers.run(() -> {
                    if (!shadows.stop(named(name).pipeline().name())) {
                        throw none(name);
                    }
                    return name;
                })
                .then();
    }

    /** Applies the rules that are compared, and ends the comparison. */
    @PostMapping("/promote")
    Mono<ResponseEntity<ResultView>> promote(
            @PathVariable String name,
            @RequestParam(defaultValue = "") String comment,
            @RequestParam(defaultValue = "false") String skipTests,
            @RequestHeader(name = HttpHeaders.IF_MATCH, required = false) @Nullable String ifMatch,
            @RequestAttribute(name = RequestSender.ATTRIBUTE, required = false) @Nullable String from,
            @Nullable Principal user) {
        return Workers.run(() -> {
            FollowedRules rules = named(name);
            RunningShadow shadow = shadow(rules);
            // By default, the version with which the rules were compared has to be the newest one still.
            String expected = ifMatch == null ? "\"" + shadow.version() + "\"" : ifMatch;
            RuleChange change = RulesController.change(user, from, comment, expected, false, skipTests);
            String ended = shadow.ended();
            if (ended != null) {
                throw new ApiException(
                        ApiErrorCode.SHADOW_NOT_POSSIBLE,
                        "The shadow of pipeline '" + name + "' has ended: " + ended + " Start another one.");
            }
            String text = shadow.text().text();
            return RulesController.answer(rules, () -> {
                RuleResult result = changes.change(name, text, change);
                shadows.end(shadow);
                return result;
            });
        });
    }

    private RunningShadow shadow(FollowedRules rules) {
        String name = rules.pipeline().name();
        return shadows.of(name).orElseThrow(() -> none(name));
    }

    private static ApiException none(String name) {
        return new ApiException(
                ApiErrorCode.NO_SHADOW, "Pipeline '" + name + "' has no shadow. Start one with POST and rules.");
    }

    private FollowedRules named(String name) {
        return RulesController.named(pipelines, changes, name);
    }
}
