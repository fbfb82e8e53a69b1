/** Who may use the HTTP interface: users, tokens and certificates, their roles, and a log of what they changed. */
@NullMarked
package io.millrace.web.access;

import org.jspecify.annotations.NullMarked;
