package io.millrace.cli.service;

import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** Rewrites the records of a region as records of the newest version of its schema. */
@Command(
        name = "migrate",
        mixinStandardHelpOptions = true,
        footerHeading = "%nExamples:%n",
        footer = {"  millrace regions migrate readings"},
        description = {
            "Rewrites the records of a region of a running service that were written with earlier versions of its schema.",
            "Records can be queried and stored meanwhile. If the command is interrupted, run it again."
        })
public final class RegionsMigrateCommand extends ServiceRequestCommand {

    @Parameters(index = "0", paramLabel = "REGION", description = "Name of the region.")
    private String region = "";

    @Override
    int run(ServiceClient client) {
        String path = "/api/regions/" + ServiceClient.encoded(region) + "/migrate";
        long rewritten = 0;
        long unreadable = 0;
        boolean done = false;
        while (!done) {
            JsonNode part = client.post(path, "", null);
            rewritten += part.path("rewritten").asLong();
            unreadable += part.path("unreadable").asLong();
            done = part.path("done").asBoolean();
        }
        out().println(region + ": " + rewritten + " values rewritten");
        if (unreadable > 0) {
            out().println(region + ": " + unreadable + " blocks have invalid records and stay as they are");
        }
        return unreadable > 0 ? FAILED : SUCCESS;
    }
}
