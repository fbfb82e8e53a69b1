package io.millrace.config.binding;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.env.OriginTrackedMapPropertySource;
import org.springframework.boot.origin.Origin;
import org.springframework.boot.origin.OriginLookup;
import org.springframework.boot.origin.OriginTrackedValue;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.PropertySource;

/**
 * The tests of rules of all files, one after the other. Without it, the tests of a pipeline in one file would replace
 * those in another, as any list does.
 */
public final class TestMerge extends MapPropertySource implements OriginLookup<String> {

    private static final String NAME = "tests of all files";

    /** The pipeline with what precedes it, the index of the test, and what follows. */
    private static final Pattern TEST = Pattern.compile("(millrace\\.pipelines.+?\\.tests)\\[(\\d+)](.*)");

    /** Names of tests in their files by their names here. */
    private final Map<String, String> namesInFiles;

    private TestMerge(Map<String, Object> properties, Map<String, String> namesInFiles) {
        super(NAME, properties);
        this.namesInFiles = namesInFiles;
    }

    @Override
    public @Nullable Object getProperty(String name) {
        return super.getProperty(name) instanceof OriginTrackedValue value ? value.getValue() : null;
    }

    @Override
    public @Nullable Origin getOrigin(String name) {
        return super.getProperty(name) instanceof OriginTrackedValue value ? value.getOrigin() : null;
    }

    /** Replaces the tests of each pipeline that has some in several files by those of all files. */
    public static void merge(ConfigurableEnvironment environment) {
        List<OriginTrackedMapPropertySource> files = new ArrayList<>();
        for (PropertySource<?> source : environment.getPropertySources()) {
            if (source instanceof OriginTrackedMapPropertySource file
                    && !tests(file).isEmpty()) {
                files.addFirst(file); // the first file of the command line has the lowest precedence
            }
        }
        Set<String> several = inSeveral(files);
        if (several.isEmpty()) {
            return;
        }
        Map<String, Object> merged = new LinkedHashMap<>();
        Map<String, String> namesInFiles = new HashMap<>();
        Map<String, Integer> counts = new HashMap<>();
        for (OriginTrackedMapPropertySource file : files) {
            Map<String, Object> others = new LinkedHashMap<>();
            Map<String, Integer> ends = new HashMap<>();
            for (String name : file.getPropertyNames()) {
                Matcher test = TEST.matcher(name);
                Object value = valueWithOrigin(file, name);
                if (test.matches() && several.contains(test.group(1))) {
                    String list = test.group(1);
                    int index = counts.getOrDefault(list, 0) + Integer.parseInt(test.group(2));
                    String here = list + "[" + index + "]";
                    merged.put(here + test.group(3), value);
                    namesInFiles.put(here, list + "[" + test.group(2) + "]");
                    ends.merge(list, index + 1, Math::max);
                } else {
                    others.put(name, value);
                }
            }
            counts.putAll(ends);
            environment
                    .getPropertySources()
                    .replace(file.getName(), new OriginTrackedMapPropertySource(file.getName(), others));
        }
        environment.getPropertySources().addBefore(files.getLast().getName(), new TestMerge(merged, namesInFiles));
    }

    private static Object valueWithOrigin(OriginTrackedMapPropertySource file, String name) {
        Object value = file.getProperty(name);
        return Objects.requireNonNull(OriginTrackedValue.of(value == null ? "" : value, file.getOrigin(name)));
    }

    private static Set<String> tests(OriginTrackedMapPropertySource file) {
        Set<String> lists = new LinkedHashSet<>();
        for (String name : file.getPropertyNames()) {
            Matcher test = TEST.matcher(name);
            if (test.matches()) {
                lists.add(test.group(1));
            }
        }
        return lists;
    }

    private static Set<String> inSeveral(List<OriginTrackedMapPropertySource> files) {
        Set<String> once = new LinkedHashSet<>();
        Set<String> several = new LinkedHashSet<>();
        for (OriginTrackedMapPropertySource file : files) {
            tests(file).stream().filter(list -> !once.add(list)).forEach(several::add);
        }
        return several;
    }

    /** Returns the name that a property has in its file. */
    String nameInFile(String property) {
        Matcher test = TEST.matcher(property);
        String here = test.matches() ? test.group(1) + "[" + test.group(2) + "]" : property;
        return namesInFiles.getOrDefault(here, here) + (test.matches() ? test.group(3) : "");
    }
}
