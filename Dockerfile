# All roles: docker run millrace [server|locator] [config.yml ...]. Build the jar first: ./mvnw -DskipTests package
FROM eclipse-temurin:25-jre AS layers
WORKDIR /layers
COPY target/millrace.jar millrace.jar
RUN java -Djarmode=tools -jar millrace.jar extract --layers --destination extracted

FROM eclipse-temurin:25-jre
WORKDIR /millrace
# Libraries change seldom and are most of the bytes: a layer of their own.
COPY --from=layers /layers/extracted/dependencies/ ./
COPY --from=layers /layers/extracted/spring-boot-loader/ ./
COPY --from=layers /layers/extracted/snapshot-dependencies/ ./
COPY --from=layers /layers/extracted/application/ ./
# Classes as they are once loaded and linked: the service is up in about half the time.
RUN java -XX:+UseZGC -XX:AOTCacheOutput=millrace.aot -Dspring.context.exit=onRefresh -jar millrace.jar > /dev/null \
  && mkdir data && chown 65532:65532 data
USER 65532:65532
VOLUME /millrace/data
# HTTP, a locator, a server's clients.
EXPOSE 8080 10334 40404
# Generational ZGC keeps pauses below a millisecond; the cache fits no other collector. A member without memory is worse
# than one that starts again.
ENV JAVA_OPTS="-XX:+UseZGC -XX:AOTCache=millrace.aot -XX:MaxRAMPercentage=75 -XX:+ExitOnOutOfMemoryError"
# In a container the service has its own network, so it listens on all of its addresses.
ENV SERVER_ADDRESS=0.0.0.0
# Ready is a server or locator in its cluster, a client whose servers are there, a service whose store is open.
HEALTHCHECK --interval=5s --timeout=3s --start-period=60s \
  CMD wget -q -O /dev/null "http://127.0.0.1:${SERVER_PORT:-8080}/actuator/health/readiness" || exit 1
ENTRYPOINT ["sh", "-c", "exec java $JAVA_OPTS -jar millrace.jar \"$@\"", "millrace"]
