package io.millrace.store.geode.shared;

import io.millrace.store.write.Commit;
import io.millrace.store.write.Commits;
import io.millrace.store.write.Term;
import io.millrace.store.write.WriterName;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Commits stored as text, by the text of their writers' names, and positions of regions that are ahead of them:
 *
 * <pre>
 * WRITER          a commit, such as trades/0
 * WRITER/REGION   position up to which the writer may have stored entries in a region
 * </pre>
 *
 * Names of writers contain one slash, those of regions none.
 */
public record StoredCommits(SharedMap<String> map) implements Commits {

    @Override
    public @Nullable Commit get(WriterName writer) {
        String text = map.get(writer.text());
        return text == null ? null : Commit.parse(text);
    }

    @Override
    public void put(Term term, Commit commit) {
        map.put(term.writer().text(), commit.text(), term);
    }

    @Override
    public Map<String, Commit> all() {
        Map<String, Commit> all = new TreeMap<>();
        map.getAll(key -> !isPosition(key)).forEach((writer, text) -> all.put(writer, Commit.parse(text)));
        return all;
    }

    @Override
    public long storedUpTo(WriterName writer, String region) {
        String position = map.get(key(writer, region));
        return position == null ? 0 : Long.parseLong(position);
    }

    @Override
    public void setStoredUpTo(Term term, String region, long position) {
        map.put(key(term.writer(), region), Long.toString(position), term);
    }

    private static boolean isPosition(String key) {
        return key.indexOf('/') != key.lastIndexOf('/');
    }

    private static String key(WriterName writer, String region) {
        return writer.text() + "/" + region;
    }

    /** Removes the commit and the positions of a term's writer. */
    public void remove(Term term) {
        String writer = term.writer().text();
        for (String key : map.keys()) {
            if (key.equals(writer) || key.startsWith(writer + "/")) {
                map.remove(key, term);
            }
        }
    }

    /** Removes the positions up to which feeds have been stored in a region: records are stored again then. */
    public void removeRegion(String region, Term term) {
        all().forEach((writer, commit) -> {
            if (commit.regions().containsKey(region)) {
                map.put(writer, commit.emptied(region).text(), term);
            }
        });
        for (String key : map.keys()) {
            if (isPosition(key) && key.endsWith("/" + region)) {
                map.remove(key, term);
            }
        }
    }
}
