package io.millrace.nemesis;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.MillraceProcess;
import io.millrace.pipeline.TradeFile;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Rules of three kinds for trades, which mark their records with the number of the rules. So the regions {@code buys}
 * and {@code sells} show which version processed which record, and whether it is the one that the history names.
 */
public final class MarkedRules {

    private static final Pattern MARK = Pattern.compile("exchangeRate: (\\d+)\\.0");
    private static final JsonMapper JSON = JsonMapper.shared();

    private final String before;
    private final String condition;
    private final boolean byId;
    private final Set<Integer> takenBack = ConcurrentHashMap.newKeySet();

    /** Which version processes records from a position on. */
    private record Use(long version, int mark) {}

    private MarkedRules(String before, String condition, boolean byId) {
        this.before = before;
        this.condition = condition;
        this.byId = byId;
    }

    /** Returns rules that route by the id of a record. */
    public static MarkedRules byId() {
        return new MarkedRules("", "id % 2 == 0", true);
    }

    /**
     * Returns rules that route by a row of a table, which may change at any time: a record is in either region.
     *
     * @param enrich the step before, in YAML
     * @param condition of the records that go to {@code sells}
     */
    public static MarkedRules byTable(String enrich, String condition) {
        return new MarkedRules(enrich, condition, false);
    }

    /** Notes that the instance that has started with these rules is about to start with earlier ones again. */
    void takeBack(int mark) {
        takenBack.add(mark);
    }

    /** Returns the rules with this mark, in YAML. */
    public String yaml(int mark) {
        String set = "- set: { exchangeRate: " + mark + ".0 }\n";
        return "steps:\n" + before
                + switch (mark % 3) {
                    case 0 -> set + "- route: [ { when: " + condition + ", to: sells }, { otherwise: buys } ]\n";
                    case 1 -> set + "- to: buys\n";
                    default -> "- filter: id % 3 != 0\n" + set + "- to: sells\n";
                };
    }

    private boolean matches(int mark, int id, int buys, int sells) {
        return switch (mark % 3) {
            case 0 -> {
                boolean inSells = byId ? id % 2 == 0 : sells != 0;
                yield buys == (inSells ? 0 : mark) && sells == (inSells ? mark : 0);
            }
            case 1 -> buys == mark && sells == 0;
            default -> buys == 0 && sells == (id % 3 != 0 ? mark : 0);
        };
    }

    /**
     * Requires that each record was processed once, by the version that the history of the pipeline {@code trades}
     * names for its position.
     *
     * @param records how many the pipeline has processed, with ids from 1
     * @return how many versions were in use
     */
    public int verify(MillraceProcess millrace, int records) throws Exception {
        NavigableMap<Long, Use> uses = uses(millrace);
        int[] buys = marks(millrace, "buys", records);
        int[] sells = marks(millrace, "sells", records);
        for (int id = 1; id <= records; id++) {
            long position = (id - 1L) * TradeFile.LENGTH;
            Use use = Objects.requireNonNull(uses.floorEntry(position)).getValue();
            if (!matches(use.mark(), id, buys[id], sells[id])) {
                throw new AssertionError("Record " + id + " at position " + position + " is marked buys=" + buys[id]
                        + " sells=" + sells[id] + ", but the history names " + use + " of " + uses + "\n"
                        + millrace.output());
            }
        }
        return uses.size();
    }

    /**
     * Returns the uses by position, and requires that positions do not decrease and no content is added twice, unless
     * it replaces rules of a file that were taken back.
     */
    private NavigableMap<Long, Use> uses(MillraceProcess millrace) throws Exception {
        String rules = "/api/pipelines/trades/rules";
        JsonNode history = JSON.readTree(millrace.get(rules));
        NavigableMap<Long, Use> uses = new TreeMap<>();
        Set<Integer> marks = new HashSet<>();
        long position = 0;
        int ofFile = 0;
        List<JsonNode> versions = new ArrayList<>();
        history.path("versions").forEach(versions::addFirst);
        for (JsonNode version : versions) {
            long number = version.path("number").asLong();
            String text = String.valueOf(millrace.get(rules + "/" + number));
            Matcher matcher = MARK.matcher(text);
            assertThat(matcher.find()).as(text).isTrue();
            int mark = Integer.parseInt(matcher.group(1));
            boolean file = version.path("origin").asString("").equals("file");
            assertThat(marks.add(mark) || (file && takenBack.contains(ofFile)))
                    .as("added twice: " + version)
                    .isTrue();
            ofFile = file ? mark : ofFile;
            for (JsonNode use : version.path("uses")) {
                assertThat(use.path("writer").asString("")).isEqualTo("trades/0");
                long since = use.path("since").asLong();
                assertThat(since).as(version.toString()).isGreaterThanOrEqualTo(position);
                position = since;
                uses.put(since, new Use(number, mark));
            }
        }
        return uses;
    }

    /** Returns the marks of the records of a region by id; 0 for those that it does not contain. */
    private static int[] marks(MillraceProcess millrace, String region, int records) throws Exception {
        int[] marks = new int[records + 1];
        String text = Objects.requireNonNull(
                millrace.get("/api/regions/" + region + "/records?format=csv&select=id,exchangeRate"));
        assertThat(text).startsWith("id,exchangeRate");
        text.lines().skip(1).forEach(line -> {
            int comma = line.indexOf(',');
            int id = Integer.parseInt(line.substring(0, comma));
            if (marks[id] != 0) {
                throw new AssertionError("stored twice: " + line);
            }
            marks[id] = (int) Double.parseDouble(line.substring(comma + 1));
        });
        return marks;
    }
}
