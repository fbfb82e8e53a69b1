package io.millrace.cli.service;

import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** Restarts a pipeline. */
@Command(
        name = "restart",
        mixinStandardHelpOptions = true,
        description = {
            "Restarts a pipeline that has failed, whose feed has ended, or that runs. The process is not restarted.",
            "The pipeline continues at its committed position, and stores each record once."
        })
final class PipelinesRestartCommand extends ServiceRequestCommand {

    @Parameters(index = "0", paramLabel = "PIPELINE", description = "Name of the pipeline.")
    private String pipeline = "";

    @Override
    int run(ServiceClient client) {
        JsonNode result = client.post("/api/pipelines/" + ServiceClient.encoded(pipeline) + "/restart", "", null);
        JsonNode position = result.path("position");
        out().println(pipeline + ": " + result.path("state").asString("")
                + (position.isNumber()
                        ? " at position " + position.asLong()
                        : ": " + AnswerText.lines(result.path("detail"))));
        return SUCCESS;
    }
}
