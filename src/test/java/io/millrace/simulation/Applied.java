package io.millrace.simulation;

/**
 * By what a record is processed.
 *
 * @param rules number of the rules
 * @param table number of the rows of the table
 */
record Applied(int rules, int table) {}
