package io.millrace.pipeline.rules;

import io.millrace.background.FailureCode;
import io.millrace.pipeline.definition.PipelinePlan;
import io.millrace.pipeline.version.RuleSource;
import io.millrace.schema.evolution.SchemaDescription;
import io.millrace.store.Store;
import io.millrace.store.write.Commit;
import io.millrace.store.write.RuleUse;
import io.millrace.store.write.RuleVersion;
import io.millrace.store.write.RuleVersions;
import io.millrace.store.write.Term;
import io.millrace.store.write.WatchedRules;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The versions of one pipeline's rules in the store, which all processes share. The first version is that of the
 * configuration; a start with a changed configuration adds another one, a takeover does not. Thread-safe.
 */
public final class RuleHistory implements RuleSource {

    /** Origin of versions that come from the configuration of a process. */
    public static final String FILE = "file";

    /** Origin of versions that come from a watched file. */
    public static final String WATCH = "watch";

    private static final Logger LOG = LoggerFactory.getLogger(RuleHistory.class);

    private final String pipeline;
    private final PipelinePlan configuredPlan;
    private final RulesText configured;
    private final Store store;
    private final RulesCompiler compiler;
    private final Identity identity;
    private final boolean persistent;
    private final InstantSource clock;
    private volatile @Nullable RuleVersion current;

    /**
     * The process.
     *
     * @param instance name of this process among those that run the same pipelines, which stays the same at a restart
     * @param process name that no other process has had
     * @param user user of the operating system
     */
    public record Identity(String instance, String process, String user) {}

    /** @param plan the configured rules */
    public RuleHistory(PipelinePlan plan, Store store, RulesCompiler compiler, Identity identity, InstantSource clock) {
        this.pipeline = plan.name();
        this.configuredPlan = plan;
        this.configured = compiler.configured(pipeline);
        this.store = store;
        this.compiler = compiler;
        this.identity = identity;
        this.clock = clock;
        this.persistent = plan.keepsOnDisk(region -> store.definition(region).persistent());
    }

    /** Returns the name of the pipeline. */
    public String pipeline() {
        return pipeline;
    }

    private RuleVersions versions() {
        return store.ruleVersions(persistent);
    }

    /** Returns all versions, in the order of their numbers. */
    public List<RuleVersion> all() {
        return versions().all(pipeline);
    }

    /** Returns a version, or null if no version has this number. */
    public @Nullable RuleVersion get(long number) {
        return versions().get(pipeline, number);
    }

    /** Returns which version processes records from which position on, in the order of their numbers. */
    public List<RuleUse> uses() {
        return versions().uses(pipeline);
    }

    /** Returns the last use of each writer, with the process that has the pipeline now. */
    public List<RuleUse> running() {
        return versions().running(pipeline);
    }

    /** Adds an entry to the stored log of manual changes. */
    void audit(String entry) {
        store.audit(entry, persistent);
    }

    /** Returns the newest version, or null before any pipeline has started. */
    public @Nullable RuleVersion latest() {
        List<RuleVersion> all = all();
        return all.isEmpty() ? null : all.getLast();
    }

    /** Returns the version by which this process works, or null before its first term. */
    public @Nullable RuleVersion current() {
        return current;
    }

    /** Returns the rules that this process was started with. */
    public RulesText configured() {
        return configured;
    }

    /** Returns the user of the operating system that runs this process. */
    String user() {
        return identity.user();
    }

    /**
     * Returns whether the content of a watched file is known: this instance accepted it last, or another one has added
     * it since. Instances see a new content at different times, so one that another instance has replaced meanwhile is
     * known too.
     */
    boolean isWatched(String fingerprint) {
        WatchedRules last = versions().watched(pipeline, identity.instance());
        if (last != null && last.fingerprint().equals(fingerprint)) {
            return true;
        }
        List<RuleVersion> added = all().stream()
                .filter(version -> version.origin().equals(WATCH))
                .filter(version -> last == null || version.number() > last.version())
                .toList();
        List<RuleVersion> unseen = last == null && !added.isEmpty() ? List.of(added.getLast()) : added;
        for (RuleVersion version : unseen) {
            if (version.fingerprint().equals(fingerprint)) {
                setWatched(version.number(), fingerprint);
                return true;
            }
        }
        return false;
    }

    /** Stores which content of the watched file this instance has accepted. */
    void setWatched(long number, String fingerprint) {
        versions().setWatched(pipeline, identity.instance(), new WatchedRules(number, fingerprint));
    }

    /**
     * Adds a version after the newest one.
     *
     * @return the version, or null if another one was added since the newest one was read
     */
    @Nullable
    RuleVersion add(long newest, String author, String origin, String comment, RulesText rules) {
        RuleVersion version = new RuleVersion(
                newest + 1,
                clock.instant().truncatedTo(ChronoUnit.MILLIS),
                author,
                origin,
                comment,
                rules.fingerprint(),
                rules.text());
        return versions().add(pipeline, version) ? version : null;
    }

    /**
     * Adds the configured rules as a version if this process starts with rules that nobody has seen. They are known if
     * this instance has started with them before, or another one has: a node with the configuration of yesterday
     * changes nothing. Only an instance that started last with the newest configuration can go back to an earlier one.
     */
    @Override
    public void start() {
        RuleVersions versions = versions();
        RuleVersion newest = null;
        while (newest == null) {
            List<RuleVersion> all = all();
            newest = all.isEmpty() || isChanged(all) ? addConfigured(all) : all.getLast();
        }
        versions.setConfigured(pipeline, identity.instance(), configured.fingerprint());
        if (!newest.fingerprint().equals(configured.fingerprint())) {
            LOG.info(
                    "Rules differ from the configuration: pipeline={} version={} origin={} author={}. The configuration is"
                            + " not new, so the version stays.",
                    pipeline,
                    newest.number(),
                    newest.origin(),
                    newest.author());
        }
    }

    private @Nullable RuleVersion addConfigured(List<RuleVersion> all) {
        return add(all.isEmpty() ? 0 : all.getLast().number(), identity.user(), FILE, "", configured);
    }

    private boolean isChanged(List<RuleVersion> all) {
        String fingerprint = configured.fingerprint();
        List<String> ofFiles = all.stream()
                .filter(version -> version.origin().equals(FILE))
                .map(RuleVersion::fingerprint)
                .toList();
        String before = versions().configured(pipeline, identity.instance());
        if (all.getLast().fingerprint().equals(fingerprint) || fingerprint.equals(before)) {
            return false;
        }
        return !ofFiles.contains(fingerprint) || ofFiles.getLast().equals(before);
    }

    /** Returns the newest version. The store may have lost its memory since this process started. */
    private RuleVersion newest() {
        while (true) {
            List<RuleVersion> all = all();
            if (!all.isEmpty()) {
                return all.getLast();
            }
            RuleVersion running = current;
            if (running == null) {
                var _ = addConfigured(all);
            } else {
                versions().add(pipeline, running);
            }
        }
    }

    /**
     * Selects the version of the commit, so that records behind it are processed by the version that stored them; the
     * newest one if nothing is behind it. If this process can't use a version, because its configuration has other
     * schemas or measures, the other one is selected.
     */
    @Override
    public Rules select(Rules now, @Nullable Commit last) {
        RuleVersion newest = newest();
        RuleVersion committed = last == null ? newest : Objects.requireNonNullElse(get(last.version()), newest);
        RuleVersion wanted = last == null || last.clean() ? newest : committed;
        RuleVersion known = current;
        if (now.number() == wanted.number() && known != null) {
            return now;
        }
        RuleVersion other = wanted.number() == newest.number() ? committed : newest;
        try {
            return selected(wanted);
        } catch (RulesException e) {
            if (wanted.number() == other.number()) {
                throw unusable(wanted, e);
            }
            LOG.warn(
                    "Rules can't be used with this configuration, others are used: pipeline={} version={} other={}"
                            + " reason={}",
                    pipeline,
                    wanted.number(),
                    other.number(),
                    e.getMessage());
        }
        try {
            return selected(other);
        } catch (RulesException e) {
            throw unusable(other, e);
        }
    }

    private IllegalStateException unusable(RuleVersion version, RulesException e) {
        return new IllegalStateException(
                FailureCode.UNUSABLE_RULES.message(
                        "Version " + version.number() + " of the rules of pipeline '" + pipeline
                                + "' can't be used with the configuration of this process. Restore the configuration, or add"
                                + " rules that it can use: " + e.getMessage()),
                e);
    }

    private Rules selected(RuleVersion version) {
        Rules rules = new Rules(version.number(), plan(version));
        current = version;
        return rules;
    }

    /**
     * Returns the compiled rules of a version.
     *
     * @throws RulesException if this process can't use them
     */
    PipelinePlan plan(RuleVersion version) {
        return version.fingerprint().equals(configured.fingerprint())
                ? configuredPlan
                : compiler.compile(pipeline, version.text());
    }

    @Override
    public Set<String> earlierRules(PipelinePlan plan) {
        SchemaDescription now = plan.records();
        Set<String> earlier = new HashSet<>();
        for (SchemaDescription version : versions().schemas(pipeline)) {
            String rules = version.sameBytes(now) ? null : plan.rulesWith(version);
            if (rules != null) {
                earlier.add(rules);
            }
        }
        versions().addSchema(pipeline, now);
        return earlier;
    }

    @Override
    public void began(Term term, long number, long since) {
        RuleVersion known = current;
        if (known == null || known.number() != number) {
            current = get(number);
        }
        Instant time = clock.instant().truncatedTo(ChronoUnit.MILLIS);
        versions().add(term, new RuleUse(number, term.writer().text(), since, time, identity.process()));
    }
}
