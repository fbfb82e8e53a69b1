/** Access to the HTTP interface: users, tokens, roles, and the audit log. */
@NullMarked
package io.millrace.web.access;

import org.jspecify.annotations.NullMarked;
