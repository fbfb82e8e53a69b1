package io.millrace.simulation;

import io.millrace.pipeline.definition.PipelinePlan;
import io.millrace.pipeline.rules.RuleHistory;
import io.millrace.pipeline.version.RuleSource;
import io.millrace.store.write.Commit;
import io.millrace.store.write.RuleVersion;
import io.millrace.store.write.Term;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The history of a process, which also shows the source which version of the rules begins where. */
record RecordedRules(RuleHistory history, Source source, Fiber.Host process, Coverage coverage) implements RuleSource {

    @Override
    public void start() {
        history.start();
    }

    @Override
    public Rules select(Rules current, @Nullable Commit last) {
        coverage.add(Coverage.Event.TERM);
        return history.select(current, last);
    }

    @Override
    public Set<String> earlierRules(PipelinePlan plan) {
        return history.earlierRules(plan);
    }

    @Override
    public void began(Term term, long number, long since) {
        coverage.add(Coverage.Event.BEGUN);
        RuleVersion current = history.current();
        RuleVersion version = current != null && current.number() == number ? current : history.get(number);
        source.begun(new Source.Begun(
                term.writer().partition(),
                term.epoch(),
                since,
                number,
                ProcessRules.number(Objects.requireNonNull(version).text()),
                process));
        history.began(term, number, since);
    }
}
