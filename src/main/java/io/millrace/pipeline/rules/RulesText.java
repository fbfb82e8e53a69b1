package io.millrace.pipeline.rules;

/**
 * The rules of a pipeline as text. Only its form has been checked.
 *
 * @param text the steps, in YAML or JSON
 * @param fingerprint equal for equal steps, whatever comments and white space the text has
 * @param comment the comment in the text; empty if there is none
 */
public record RulesText(String text, String fingerprint, String comment) {}
