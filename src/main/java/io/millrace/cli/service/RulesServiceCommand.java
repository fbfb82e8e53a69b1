package io.millrace.cli.service;

import tools.jackson.databind.JsonNode;

/** What commands on rules have in common: paths, and the form of results. */
abstract class RulesServiceCommand extends ServiceRequestCommand {

    /** Returns the path of a pipeline's rules. */
    static String rules(String pipeline) {
        return "/api/pipelines/" + ServiceClient.encoded(pipeline) + "/rules";
    }

    /** Prints what has become of a change. */
    final int print(String pipeline, JsonNode result) {
        JsonNode version = result.path("version");
        String state = result.path("state").asString("");
        out().println(pipeline + ": version " + version.path("number").asLong() + " " + state
                + (result.has("since")
                        ? " since position " + result.path("since").asLong()
                        : "")
                + (result.has("detail") ? ": " + AnswerText.lines(result.path("detail")) : ""));
        for (JsonNode use : result.path("processes")) {
            out().println("  " + AnswerText.line(use.path("process")) + ": version "
                    + use.path("version").asLong() + " as " + AnswerText.line(use.path("writer")));
        }
        result.path("warnings").forEach(warning -> err().println("Warning: " + AnswerText.lines(warning)));
        return SUCCESS;
    }
}
