package io.millrace.cli.service;

import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** Lists the versions of a pipeline's rules. */
@Command(
        name = "history",
        mixinStandardHelpOptions = true,
        description =
                "Lists the versions of a pipeline's rules, newest first, and from which positions on they were used.")
final class RulesHistoryCommand extends RulesServiceCommand {

    @Parameters(paramLabel = "PIPELINE", description = "Name of the pipeline.")
    private String pipeline = "";

    @Override
    int run(ServiceClient client) {
        for (JsonNode version : client.get(rules(pipeline)).path("versions")) {
            String comment = AnswerText.line(version.path("comment"));
            out().println(version.path("number").asLong() + "  "
                    + version.path("time").asString("") + "  "
                    + AnswerText.line(version.path("author")) + "  "
                    + version.path("origin").asString("") + "  "
                    + version.path("fingerprint").asString("")
                    + (comment.isEmpty() ? "" : "  " + comment));
            for (JsonNode use : version.path("uses")) {
                out().println("    since position " + use.path("since").asLong() + " as "
                        + AnswerText.line(use.path("writer")) + ", "
                        + use.path("time").asString(""));
            }
        }
        return SUCCESS;
    }
}
