package io.millrace.observability;

import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What can be reported about Prometheus' expressions without evaluating them. */
public final class PromQl {

    private static final Set<String> WORDS = Set.of("and", "or", "unless", "bool", "offset", "by", "without");
    private static final Pattern NAME = Pattern.compile("(?<![\\w.:])[a-zA-Z_:][\\w:]*+(?!\\s*\\()");

    private PromQl() {}

    /** Names of the metrics that an expression asks for. */
    public static Set<String> metrics(String expression) {
        String bare = expression
                .replaceAll("\"[^\"]*\"", "")
                .replaceAll("\\{[^}]*}", " ")
                .replaceAll("\\[[^\\]]*]", " ")
                .replaceAll("\\b(by|without|on|ignoring|group_left|group_right)\\s*\\([^)]*\\)", " ");
        Set<String> metrics = new TreeSet<>();
        Matcher name = NAME.matcher(bare);
        while (name.find()) {
            if (!WORDS.contains(name.group())) {
                metrics.add(name.group());
            }
        }
        return metrics;
    }
}
