package io.millrace.store.geode.shared;

import io.millrace.schema.evolution.SchemaDescription;
import io.millrace.store.catalog.DefinitionText;
import io.millrace.store.write.RuleUse;
import io.millrace.store.write.RuleVersion;
import io.millrace.store.write.RuleVersions;
import io.millrace.store.write.Term;
import io.millrace.store.write.WatchedRules;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The versions of rules in a map:
 *
 * <pre>
 * PIPELINE/NUMBER             a version as JSON
 * PIPELINE/NUMBER/WRITER      its use by a writer, such as trades/7/trades/0
 * PIPELINE/running/WRITER     the last use by a writer, with the process that has the pipeline
 * PIPELINE/configured/INSTANCE  fingerprint of the configured rules
 * PIPELINE/schemas/FINGERPRINT  description of the records that the pipeline has read
 * PIPELINE/watched/INSTANCE   the last accepted content of the watched file
 * </pre>
 *
 * Names of pipelines contain no slash.
 */
public record StoredRules(SharedMap<String> map) implements RuleVersions {

    private static final String RUNNING = "/running/";
    private static final String SCHEMAS = "/schemas/";

    @Override
    public @Nullable RuleVersion get(String pipeline, long number) {
        String json = map.get(key(pipeline, number));
        return json == null ? null : RuleVersion.parse(json);
    }

    @Override
    public List<RuleVersion> all(String pipeline) {
        return map.getAll(key -> isNumber(below(pipeline, key))).values().stream()
                .map(RuleVersion::parse)
                .sorted(Comparator.comparingLong(RuleVersion::number))
                .toList();
    }

    @Override
    public boolean add(String pipeline, RuleVersion version) {
        String json = version.json();
        String existing = map.putIfAbsent(key(pipeline, version.number()), json);
        // The response may be lost after the change was made: then the stored version is ours.
        return existing == null || existing.equals(json);
    }

    @Override
    public List<RuleUse> uses(String pipeline) {
        List<RuleUse> uses = new ArrayList<>();
        map.getAll(key -> isNumber(version(below(pipeline, key)))).forEach((key, text) -> {
            String rest = below(pipeline, key);
            String version = version(rest);
            uses.add(RuleUse.parse(Long.parseLong(version), rest.substring(version.length() + 1), text));
        });
        uses.sort(Comparator.comparingLong(RuleUse::version).thenComparing(RuleUse::writer));
        return uses;
    }

    @Override
    public void add(Term term, RuleUse use) {
        String pipeline = term.writer().pipeline();
        var _ = map.putIfAbsent(key(pipeline, use.version()) + "/" + use.writer(), use.text());
        map.put(pipeline + RUNNING + use.writer(), use.version() + " " + use.text(), term);
    }

    @Override
    public List<RuleUse> running(String pipeline) {
        List<RuleUse> uses = new ArrayList<>();
        texts(pipeline + RUNNING).forEach((writer, text) -> {
            int end = text.indexOf(' ');
            if (end > 0) {
                uses.add(RuleUse.parse(Long.parseLong(text.substring(0, end)), writer, text.substring(end + 1)));
            }
        });
        uses.sort(Comparator.comparing(RuleUse::writer));
        return uses;
    }

    /** Removes the uses of a term's writer, which begins again at the start of its feed. The versions stay. */
    public void removeUses(Term term) {
        String pipeline = term.writer().pipeline();
        String writer = term.writer().text();
        uses(pipeline).stream()
                .filter(use -> use.writer().equals(writer))
                .forEach(use -> map.remove(key(pipeline, use.version()) + "/" + writer, term));
        map.remove(pipeline + RUNNING + writer, term);
    }

    @Override
    public @Nullable String configured(String pipeline, String instance) {
        return map.get(configuredKey(pipeline, instance));
    }

    @Override
    public void setConfigured(String pipeline, String instance, String fingerprint) {
        map.putOwn(configuredKey(pipeline, instance), fingerprint);
    }

    @Override
    public List<SchemaDescription> schemas(String pipeline) {
        return texts(pipeline + SCHEMAS).values().stream()
                .map(DefinitionText::readSchema)
                .toList();
    }

    @Override
    public void addSchema(String pipeline, SchemaDescription schema) {
        var _ = map.putIfAbsent(pipeline + SCHEMAS + schema.fingerprint(), DefinitionText.writeSchema(schema));
    }

    @Override
    public @Nullable WatchedRules watched(String pipeline, String instance) {
        String text = map.get(watchedKey(pipeline, instance));
        return text == null ? null : WatchedRules.parse(text);
    }

    @Override
    public void setWatched(String pipeline, String instance, WatchedRules content) {
        map.putOwn(watchedKey(pipeline, instance), content.text());
    }

    private static String watchedKey(String pipeline, String instance) {
        return pipeline + "/watched/" + instance;
    }

    private static String configuredKey(String pipeline, String instance) {
        return pipeline + "/configured/" + instance;
    }

    private static String key(String pipeline, long number) {
        return pipeline + "/" + number;
    }

    /** Returns the texts whose keys begin with a prefix, by the rest of the keys. */
    private Map<String, String> texts(String prefix) {
        Map<String, String> texts = new HashMap<>();
        map.getAll(key -> key.startsWith(prefix))
                .forEach((key, text) -> texts.put(key.substring(prefix.length()), text));
        return texts;
    }

    /** Returns the number of the version in the key of its use, or an empty text if it is another key. */
    private static String version(String rest) {
        return rest.substring(0, Math.max(0, rest.indexOf('/')));
    }

    /** Returns the part of a key behind the pipeline's name, or an empty text if it is another pipeline's. */
    private static String below(String pipeline, String key) {
        return key.startsWith(pipeline + "/") ? key.substring(pipeline.length() + 1) : "";
    }

    private static boolean isNumber(String text) {
        return !text.isEmpty() && text.chars().allMatch(character -> character >= '0' && character <= '9');
    }
}
