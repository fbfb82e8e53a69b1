package io.millrace.cli.service;

import picocli.CommandLine.Command;
import tools.jackson.databind.JsonNode;

/** Lists the state of each pipeline. */
@Command(
        name = "list",
        mixinStandardHelpOptions = true,
        description = "Lists the pipelines with their state, their position, and why they have failed or wait.")
final class PipelinesListCommand extends ServiceRequestCommand {

    @Override
    int run(ServiceClient client) {
        for (JsonNode pipeline : client.get("/api/pipelines")) {
            out().println(pipeline.path("name").asString("") + ": "
                    + pipeline.path("state").asString("") + " at position "
                    + pipeline.path("position").asLong());
            print("runs in ", pipeline.path("owner"));
            print("", pipeline.path("error"));
        }
        return SUCCESS;
    }

    private void print(String prefix, JsonNode text) {
        if (text.isString()) {
            out().println("  " + prefix + AnswerText.lines(text));
        }
    }
}
