<#--
Lists the libraries of the distribution with their licences. A licence that the poms of libraries name differently gets
the name of its file in the folder licenses; DistributionIT checks that each name has a file.
-->
<#assign files = {
  "Apache 2": "Apache-2.0",
  "Apache License 2.0": "Apache-2.0",
  "Apache License, Version 2.0": "Apache-2.0",
  "Apache License, version 2.0": "Apache-2.0",
  "The Apache License, Version 2.0": "Apache-2.0",
  "The Apache Software License, Version 2.0": "Apache-2.0",
  "The Apache Software License, version 2.0": "Apache-2.0",
  "BSD 2-Clause License": "BSD-2-Clause",
  "BSD License": "BSD-3-Clause",
  "The BSD License": "BSD-3-Clause",
  "CDDL + GPLv2 with classpath exception": "CDDL-1.0 or GPL-2.0-with-classpath-exception",
  "CDDL 1.1": "CDDL-1.1",
  "CDDL/GPLv2+CE": "CDDL-1.1 or GPL-2.0-with-classpath-exception",
  "EDL 1.0": "EDL-1.0",
  "Eclipse Distribution License - v 1.0": "EDL-1.0",
  "EPL 2.0": "EPL-2.0",
  "GPL2 w/ CPE": "GPL-2.0-with-classpath-exception",
  "LGPL-2.1-only": "LGPL-2.1",
  "LGPL-2.1-or-later": "LGPL-2.1",
  "MIT License": "MIT",
  "The MIT License": "MIT",
  "The MIT License (MIT)": "MIT",
  "Public Domain, per Creative Commons CC0": "CC0-1.0"
}/>
Libraries of Millrace and their licenses

Each line has the licenses of a library, its name, its coordinates and its web site. "or": any of these licenses applies.
The file licenses/NAME.txt has the text of the license NAME.

Notices and licenses that a library contains are in its jar (META-INF, or the root of the jar). Some jars contain none:
the copyright lines of these libraries are those in their sources, which their web sites link to. Millrace's own license
is in the file LICENSE.

<#list dependencyMap as entry>
<#assign library = entry.getKey()/>
<#assign names = []/>
<#list entry.getValue() as license><#assign names = names + [files[license]!license]/></#list>
(${names?join(" or ")}) ${library.name} (${library.groupId}:${library.artifactId}:${library.version} - ${library.url!"no web site"})
</#list>
