package io.millrace.store.geode.shared;

import io.millrace.store.write.Commit;
import io.millrace.store.write.Commits;
import io.millrace.store.write.Term;
import io.millrace.store.write.WriterName;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Commits stored as text, by the text of their writers' names. */
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
        for (String key : map.keys()) {
            String text = map.get(key);
            if (text != null) {
                all.put(key, Commit.parse(text));
            }
        }
        return all;
    }
}
