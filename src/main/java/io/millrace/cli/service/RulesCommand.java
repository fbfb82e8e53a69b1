package io.millrace.cli.service;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Shows and changes the rules of a running service. */
@Command(
        name = "rules",
        mixinStandardHelpOptions = true,
        footerHeading = "%nExamples:%n",
        footer = {
            "  millrace rules list",
            "  millrace rules shadow trades config.yml",
            "  millrace rules apply trades config.yml --comment 'larger trades only'",
            "  millrace rules rollback trades 3"
        },
        description = "Shows and changes the rules of the pipelines of a running service.",
        subcommands = {
            RulesListCommand.class,
            RulesHistoryCommand.class,
            RulesShowCommand.class,
            RulesDiffCommand.class,
            RulesBacktestCommand.class,
            RulesShadowCommand.class,
            RulesPromoteCommand.class,
            RulesApplyCommand.class,
            RulesRollbackCommand.class
        })
public final class RulesCommand implements Runnable {

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(),
                "Missing command. Use one of: list, history, show, diff, backtest, shadow, promote, apply, rollback.");
    }
}
