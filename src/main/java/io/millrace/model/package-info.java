/**
 * Imports schemas: the tree of an imported schema, its text, and its merge with the schema that a person has edited.
 */
@NullMarked
package io.millrace.model;

import org.jspecify.annotations.NullMarked;
