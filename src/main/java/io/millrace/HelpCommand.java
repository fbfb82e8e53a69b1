package io.millrace;

import io.millrace.schema.NearestName;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Shows the help of a command, as its option {@code --help} does. */
@Command(
        name = "help",
        mixinStandardHelpOptions = true,
        footerHeading = "%nExamples:%n",
        footer = {"  millrace help", "  millrace help convert", "  millrace help rules apply"},
        description = {"Shows the help of a command.", "Without a command, it lists all commands."})
final class HelpCommand implements Runnable {

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Parameters(paramLabel = "COMMAND", description = "Name of a command, and of a command below it.")
    private List<String> names = List.of();

    @Override
    public void run() {
        CommandLine shown = spec.root().commandLine();
        for (int i = 0; i < names.size(); i++) {
            CommandLine next = shown.getSubcommands().get(names.get(i));
            if (next == null) {
                throw new ParameterException(
                        spec.commandLine(),
                        "Unknown command: '" + String.join(" ", names.subList(0, i + 1)) + "'"
                                + NearestName.hint(
                                        names.get(i), shown.getSubcommands().keySet()));
            }
            shown = next;
        }
        shown.usage(spec.commandLine().getOut());
    }
}
