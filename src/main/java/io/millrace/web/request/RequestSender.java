package io.millrace.web.request;

import java.security.Principal;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import reactor.util.context.ContextView;

/** Who sends a request, and from where, in a form that logs and stored texts can contain. */
public final class RequestSender {

    /**
     * The request attribute with the address of the sender, which a filter of the executable sets; missing in an
     * application that uses the library.
     */
    public static final String ATTRIBUTE = "io.millrace.request.from";

    /** The key of the network of the sender in the context of a request, set and missing where the attribute is. */
    public static final String NETWORK = "io.millrace.request.network";

    /** The key of the name of the user in the context of a request; missing if there is none. */
    public static final String USER = "io.millrace.request.user";

    /** The text for an unknown user or address. */
    public static final String UNKNOWN = "-";

    private static final int LONGEST_NAME = 60;
    private static final Pattern UNUSUAL = Pattern.compile("[^\\w.@:+-]");
    private static final String ANONYMOUS = "anonymousUser";

    private RequestSender() {}

    /** Returns who shares limits with others in the context of a request: a user, else the network of the sender. */
    public static String client(ContextView context) {
        return context.<String>getOrEmpty(USER).map(user -> "user " + user).orElseGet(() -> network(context));
    }

    /** Returns the network of the sender in the context of a request. */
    public static String network(ContextView context) {
        return context.<String>getOrEmpty(NETWORK).orElse(UNKNOWN);
    }

    /** Returns the name of a user; {@value #UNKNOWN} if the interface is open. */
    public static String user(@Nullable Principal user) {
        return user == null || ANONYMOUS.equals(user.getName()) ? UNKNOWN : name(user.getName());
    }

    /**
     * Returns the name of a user as one word.
     *
     * @param name may be the subject of a token: missing, or any text
     */
    public static String name(@Nullable String name) {
        return name == null ? UNKNOWN : word(name);
    }

    /** Returns a text without white space and control characters, and of limited length. */
    public static String word(String text) {
        String plain = UNUSUAL.matcher(text).replaceAll("?");
        return plain.length() <= LONGEST_NAME ? plain : plain.substring(0, LONGEST_NAME);
    }
}
