package io.millrace;

import picocli.CommandLine.IVersionProvider;

/** The version in the jar's manifest. */
final class MillraceVersion implements IVersionProvider {

    @Override
    public String[] getVersion() {
        String version = MillraceVersion.class.getPackage().getImplementationVersion();
        return new String[] {"millrace " + (version == null ? "(not packaged)" : version)};
    }
}
