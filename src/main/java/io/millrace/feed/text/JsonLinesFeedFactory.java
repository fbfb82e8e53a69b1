package io.millrace.feed.text;

import io.millrace.codec.ContentException;
import io.millrace.codec.file.ContentCheck;
import io.millrace.codec.text.JsonText;
import io.millrace.codec.text.RecordText;
import io.millrace.schema.Schema;

/** Feeds of a file of JSON lines. */
public final class JsonLinesFeedFactory extends TextFeedFactory {

    public JsonLinesFeedFactory() {
        super("json-lines");
    }

    @Override
    RecordText text(Schema schema) {
        return new JsonText(schema);
    }

    @Override
    void requireContent(String file, byte[] head) throws ContentException {
        ContentCheck.requireJsonLines(file, head);
    }

    @Override
    String refusal(Schema schema) {
        return "";
    }
}
