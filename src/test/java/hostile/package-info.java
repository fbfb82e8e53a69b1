/** Classes that no process of Millrace may deserialize. */
@NullMarked
package hostile;

import org.jspecify.annotations.NullMarked;
