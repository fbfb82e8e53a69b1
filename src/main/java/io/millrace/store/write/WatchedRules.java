package io.millrace.store.write;

/**
 * The content of a watched file that an instance has accepted.
 *
 * @param version number of the version of the rules that has this content
 * @param fingerprint fingerprint of the rules
 */
public record WatchedRules(long version, String fingerprint) {

    /** Returns the form in which it is stored. */
    public String text() {
        return version + " " + fingerprint;
    }

    /** Reads the stored form. */
    public static WatchedRules parse(String text) {
        int end = text.indexOf(' ');
        return new WatchedRules(Long.parseLong(text.substring(0, end)), text.substring(end + 1));
    }
}
