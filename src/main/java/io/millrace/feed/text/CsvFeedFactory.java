package io.millrace.feed.text;

import io.millrace.codec.ContentException;
import io.millrace.codec.file.ContentCheck;
import io.millrace.codec.text.RecordText;
import io.millrace.codec.text.csv.CsvText;
import io.millrace.schema.Schema;

/** Feeds of a file of CSV. */
public final class CsvFeedFactory extends TextFeedFactory {

    public CsvFeedFactory() {
        super("csv");
    }

    @Override
    RecordText text(Schema schema) {
        return new CsvText(schema);
    }

    @Override
    void requireContent(String file, byte[] head) throws ContentException {
        ContentCheck.requireCsv(file, head);
    }

    @Override
    String refusal(Schema schema) {
        return schema.groups().isEmpty()
                ? ""
                : "Schema '" + schema.name() + "' has the list '"
                        + schema.groups().getFirst().path().replace("[]", "")
                        + "', which CSV can't hold. Use the feed 'json-lines'.";
    }
}
