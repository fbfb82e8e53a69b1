package io.millrace.cli.check;

import io.millrace.cli.service.ServiceClient;
import io.millrace.cli.service.ServiceException;
import io.millrace.config.plan.Setup;
import io.millrace.pipeline.definition.PipelinePlan;
import io.millrace.pipeline.rules.RulesCompiler;
import java.io.PrintWriter;
import java.util.function.Supplier;
import tools.jackson.databind.JsonNode;

/** Prints whether the rules of a configuration can replace those of a running service, without a restart. */
final class LiveRulesCheck {

    private LiveRulesCheck() {}

    /**
     * Prints a line for each pipeline, with the reasons if its rules need a restart.
     *
     * @param client opens the connection to the service
     */
    static void print(Setup setup, RulesCompiler compiler, Supplier<ServiceClient> client, PrintWriter out) {
        out.println("Rules:");
        try (ServiceClient service = client.get()) {
            for (PipelinePlan plan : setup.pipelines()) {
                String name = plan.name();
                out.print("  " + name + ": ");
                verdict(service, name, compiler.configured(name).text())
                        .lines()
                        .forEach(line -> out.println(line.isEmpty() || line.startsWith(" ") ? "    " + line : line));
            }
        }
    }

    private static String verdict(ServiceClient service, String pipeline, String rules) {
        String path = "/api/pipelines/" + ServiceClient.encoded(pipeline) + "/rules?dryRun=true&skipTests=true";
        try {
            JsonNode result = service.post(path, rules, null);
            long newest = result.path("version").path("number").asLong();
            return result.path("state").asString("").equals("unchanged")
                    ? "the live rules, version " + newest
                    : "can replace the live rules, version " + newest + ", without a restart";
        } catch (ServiceException e) {
            return "can't replace the live rules. " + e.getMessage();
        }
    }
}
