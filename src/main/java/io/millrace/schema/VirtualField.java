package io.millrace.schema;

import java.io.Serializable;
import org.apiguardian.api.API;

/**
 * A field that is computed from other fields each time it is read, and takes no bytes.
 *
 * @param name name, unique among all names of its schema
 * @param expression expression that computes the value
 */
@API(status = API.Status.STABLE)
public record VirtualField(String name, String expression) implements Serializable {}
