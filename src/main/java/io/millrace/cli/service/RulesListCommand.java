package io.millrace.cli.service;

import picocli.CommandLine.Command;
import tools.jackson.databind.JsonNode;

/** Lists which version of its rules each pipeline uses. */
@Command(
        name = "list",
        mixinStandardHelpOptions = true,
        description = "Lists the pipelines with the version of their rules, and which process uses which version.")
final class RulesListCommand extends RulesServiceCommand {

    @Override
    int run(ServiceClient client) {
        for (JsonNode pipeline : client.get("/api/pipelines")) {
            String name = AnswerText.line(pipeline.path("name"));
            JsonNode rules = client.get(rules(name));
            JsonNode configured = rules.path("configured");
            long fileVersion = configured.path("version").asLong();
            out().println(name + ": version " + rules.path("newest").asLong()
                    + (configured.path("live").asBoolean()
                            ? ", as configured"
                            : ", not as configured (version " + fileVersion + ")"));
            for (JsonNode use : rules.path("processes")) {
                out().println("  " + AnswerText.line(use.path("process")) + ": version "
                        + use.path("version").asLong() + " since position "
                        + use.path("since").asLong() + " as "
                        + AnswerText.line(use.path("writer")));
            }
            JsonNode problem = rules.path("here").path("problem");
            if (!problem.isMissingNode()) {
                out().println("  " + AnswerText.lines(problem));
            }
        }
        return SUCCESS;
    }
}
