# All roles: docker run millrace [server|locator] [config.yml ...]. Build the distribution first: ./mvnw -Dmaven.test.skip package
FROM eclipse-temurin:25-jdk AS build
# A Java runtime with the modules that Millrace and its libraries use.
RUN jlink --output /runtime --strip-java-debug-attributes --no-header-files --no-man-pages --generate-cds-archive --add-modules \
  java.se,jdk.attach,jdk.charsets,jdk.jcmd,jdk.jfr,jdk.management,jdk.management.agent,jdk.naming.dns,jdk.net,jdk.security.auth,jdk.unsupported,jdk.zipfs
# The rest of the file system: the C libraries of the base image, a user, and folders to write to.
RUN mkdir -p /root-fs/etc /root-fs/tmp /root-fs/millrace/data \
  && for library in ld-linux-x86-64.so.2 ld-linux-aarch64.so.1 libc.so.6 libdl.so.2 libgcc_s.so.1 libm.so.6 \
       libnss_dns.so.2 libnss_files.so.2 libpthread.so.0 libresolv.so.2 librt.so.1 libstdc++.so.6 libz.so.1; do \
       for folder in /lib64 /lib /lib/*-linux-gnu /usr/lib/*-linux-gnu; do \
         if [ -e "$folder/$library" ] && [ ! -e "/root-fs$folder/$library" ]; then \
           mkdir -p "/root-fs$folder" && cp -L "$folder/$library" "/root-fs$folder/"; fi; done; done \
  && echo 'millrace:x:65532:65532::/millrace:/none' > /root-fs/etc/passwd \
  && echo 'millrace:x:65532:' > /root-fs/etc/group \
  && echo 'hosts: files dns' > /root-fs/etc/nsswitch.conf \
  && mkdir -p /root-fs/usr/bin && cp -L /usr/bin/env /root-fs/usr/bin/env \
  && chmod 1777 /root-fs/tmp && chown 65532:65532 /root-fs/millrace/data
WORKDIR /millrace
ADD target/millrace-*.tar.gz /
# A cache of loaded classes; it fits this runtime and these files only.
RUN mv /millrace-*/* . && touch conf/container.options && MILLRACE_JAVA_HOME=/runtime MILLRACE_CACHE=/cache bin/millrace warm \
  && mv /cache/service-*.jsa /cache/service.jsa && rm /cache/cli-*.aot && rm -rf logs docs

FROM scratch
ARG VERSION=development
ARG REVISION=unknown
LABEL org.opencontainers.image.title="Millrace" \
      org.opencontainers.image.description="Rules over feeds of binary records, straight over their bytes" \
      org.opencontainers.image.version="$VERSION" \
      org.opencontainers.image.revision="$REVISION" \
      org.opencontainers.image.licenses="Apache-2.0"
COPY --from=build /root-fs/ /
COPY --from=build /runtime/ /runtime/
COPY --from=build /millrace/ /millrace/
COPY --from=build /cache/ /millrace/cache/
WORKDIR /millrace
USER 65532:65532
VOLUME /millrace/data
# HTTP, a locator, a server's clients.
EXPOSE 8080 10334 40404
ENV PATH=/runtime/bin:/usr/bin JAVA_HOME=/runtime LANG=C.UTF-8
# In a container the service has its own network, so it listens on all of its addresses.
ENV SERVER_ADDRESS=0.0.0.0
# Ready is a server or locator in its cluster, a client whose servers are there, a service whose store is open.
HEALTHCHECK --interval=10s --timeout=30s --start-period=60s \
  CMD ["env", "-u", "JDK_JAVA_OPTIONS", "java", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx16m", "-cp", "lib/millrace.jar", "io.millrace.cli.HealthCommand"]
# Additional JVM options: JDK_JAVA_OPTIONS, or conf/container.options, which wins. A report of a crash is part of the log,
# because a file would be lost with the container.
ENTRYPOINT ["java", "@conf/jvm.options", "-XX:+ErrorFileToStdout", "-XX:SharedArchiveFile=cache/service.jsa", "-Xlog:cds*=off", "@conf/container.options", "-jar", "lib/millrace.jar"]
