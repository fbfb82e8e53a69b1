package io.millrace.cli.service;

import io.millrace.codec.ControlCharacters;
import tools.jackson.databind.JsonNode;

/** Texts of answers for a terminal, without characters that it would execute, and without forged lines. */
final class AnswerText {

    private AnswerText() {}

    /** Returns a text, or an empty one if there is none, on one line. */
    static String line(JsonNode text) {
        return ControlCharacters.escaped(text.asString(""));
    }

    /** Returns a text, or an empty one if there is none, of which only the first line is not indented. */
    static String lines(JsonNode text) {
        return ControlCharacters.indented(text.asString(""));
    }
}
