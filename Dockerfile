# Build the jar first: ./mvnw -DskipTests package
FROM eclipse-temurin:25-jre AS layers
WORKDIR /layers
COPY target/millrace.jar millrace.jar
RUN java -Djarmode=tools -jar millrace.jar extract --layers --launcher --destination extracted

FROM eclipse-temurin:25-jre
WORKDIR /millrace
# Libraries change seldom and are most of the bytes: a layer of their own.
COPY --from=layers /layers/extracted/dependencies/ ./
COPY --from=layers /layers/extracted/spring-boot-loader/ ./
COPY --from=layers /layers/extracted/snapshot-dependencies/ ./
COPY --from=layers /layers/extracted/application/ ./
RUN mkdir data && chown 65532:65532 data
USER 65532:65532
VOLUME /millrace/data
EXPOSE 8080
# Generational ZGC keeps pauses below a millisecond; the opens are what Apache Geode needs on JDK 25.
ENV JAVA_OPTS="-XX:+UseZGC -XX:MaxRAMPercentage=75"
# In a container the service has its own network, so it listens on all of its addresses.
ENV SERVER_ADDRESS=0.0.0.0
HEALTHCHECK --interval=5s --timeout=3s --start-period=30s \
  CMD wget -q -O /dev/null http://127.0.0.1:8080/actuator/health || exit 1
ENTRYPOINT ["sh", "-c", "exec java $JAVA_OPTS \
  --add-opens java.base/java.lang=ALL-UNNAMED --add-opens java.base/java.util=ALL-UNNAMED \
  --add-opens java.base/java.nio=ALL-UNNAMED --add-opens java.base/sun.nio.ch=ALL-UNNAMED \
  --add-opens java.base/java.util.concurrent=ALL-UNNAMED \
  --add-opens jdk.management/com.sun.management.internal=ALL-UNNAMED --enable-native-access=ALL-UNNAMED \
  org.springframework.boot.loader.launch.JarLauncher \"$@\"", "millrace"]
