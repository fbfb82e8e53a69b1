package io.millrace.documentation;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.Millrace;
import io.millrace.metrics.MillraceMeter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** Documentation, help texts and descriptions use the field's terms, and none of the words that they replaced. */
class LanguageTest {

    /** Expressions of words that must not occur, with what to write instead. */
    private static final Map<Pattern, String> REPLACEMENTS = replacements();

    /** Text that is shown as the program prints it, and names. */
    private static final Pattern CODE = Pattern.compile("(?s)```.*?```|`[^`\n]*`|<!--.*?-->|]\\([^)]*\\)");

    /** A name or a description in Spring Boot's configuration metadata. */
    private static final Pattern DESCRIPTION = Pattern.compile("\"(?:name|description)\": \"((?:[^\"\\\\]|\\\\.)*)\"");

    private static final Pattern COMMENT = Pattern.compile("^\\s*(?:/?\\*|//)");

    /** The beginning of the message of an exception. */
    private static final Pattern ERROR = Pattern.compile(
            "new \\w+Exception\\(\\s*(?:List\\.of\\(\\s*)?\"((?:[^\"\\\\]|\\\\.)* (?:[^\"\\\\]|\\\\.)*)\"");

    /** A sentence, or a value, behind the line of a file. */
    private static final Pattern SENTENCE = Pattern.compile("(?:line (?:\\d+: )?)?(?:[A-Z'%]|$)");

    private static final Pattern TEXT = Pattern.compile("\"(?:[^\"\\\\]|\\\\.)*\"");

    /** A comment or a text of several lines. */
    private static final Pattern BLOCK = Pattern.compile("(?s)/\\*.*?\\*/|\"\"\".*?\"\"\"");

    private static final Pattern LINE_COMMENT = Pattern.compile("//.*");

    private static final Pattern NAME = Pattern.compile("\\b[A-Za-z_]\\w*");

    /** A word of an identifier. */
    private static final Pattern WORD = Pattern.compile("[A-Z]?[a-z]+|[A-Z]+(?![a-z])");

    /** What names of tests and methods began with before they had the terms. */
    private static final Pattern FORMER_NAMES = Pattern.compile("should Tell\\b|\\bgive Back\\b|\\bcover Up To\\b");

    /** Names of code within a comment. */
    private static final Pattern TAG = Pattern.compile("\\{@[^}]*}?|@param \\w+");

    private static Map<Pattern, String> replacements() {
        Map<String, String> words = new LinkedHashMap<>();
        words.put("questions?(?! mark)", "query");
        words.put("askers?", "client, caller");
        words.put("whoever", "the caller, the user, a client that …");
        words.put("tells|told", "reports, returns, shows, logs, describes");
        words.put("anew", "again; retried");
        words.put("besides?", "next to, in addition to, along with");
        words.put("figures?", "aggregate, metric, number, result");
        words.put("looks? (?:at|through)|looked (?:at|through)", "reads, scans, checks");
        words.put("thrown out", "removed (forced disconnect)");
        words.put("hand(?:s|ed)? over|handing over", "transfer, rebalance");
        words.put("mend(?:s|ed|ing)?", "repair, fix");
        words.put("befalls?|befell|befallen", "failure, fault; happens to");
        words.put("unharmed", "intact, complete");
        words.put("lets? go|letting go", "drops, releases");
        words.put("is none (?:of|that)|is no (?:number|duration|size|name|interface)", "is not a valid …; unknown …");
        words.put("for people", "the page; text");
        words.put("stands? twice", "duplicate …");
        words.put("comes? to more", "has more");
        words.put("could not be (?:made|asked)", "failed to create, to query");
        words.put("(?:can't|cannot) give", "can't return, can't convert");
        words.put("joins? again", "rejoins");
        words.put("room for|has room|have room|no room", "space, capacity");
        words.put("child of its time", "nothing");
        Map<Pattern, String> replacements = new LinkedHashMap<>();
        words.forEach((word, instead) -> replacements.put(
                Pattern.compile("\\b(?:" + word + ")\\b", Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE), instead));
        return replacements;
    }

    private static List<String> find(String source, String text) {
        List<String> found = new ArrayList<>();
        int number = 0;
        for (String line : text.split("\n", -1)) {
            number++;
            for (Map.Entry<Pattern, String> replacement : REPLACEMENTS.entrySet()) {
                Matcher word = replacement.getKey().matcher(line);
                if (word.find()) {
                    found.add(source + ":" + number + ": '" + word.group() + "': write " + replacement.getValue() + ": "
                            + line.strip());
                }
            }
        }
        return found;
    }

    /** A page's text with its code left out; lines stay where they are. */
    private static String prose(String page) {
        return CODE.matcher(page)
                .replaceAll(code -> "\n".repeat((int) code.group().lines().count() - 1));
    }

    @Test
    void shouldFindWords() {
        assertThat(find("page", "fine\nWhoever asks is told anew"))
                .hasSize(3)
                .allMatch(found -> found.startsWith("page:2: '"));
        assertThat(find("page", prose("`question`\n```\nfigure\n```\n[a](questions.md)")))
                .isEmpty();
    }

    @Test
    void shouldUseTheTermsInThePages() throws IOException {
        List<String> found = new ArrayList<>();
        List<Path> pages =
                new ArrayList<>(List.of(Path.of("README.md"), Path.of("CONTRIBUTING.md"), Path.of("CHANGELOG.md")));
        try (Stream<Path> files = Files.walk(Path.of("docs"))) {
            files.filter(file -> file.toString().endsWith(".md")).sorted().forEach(pages::add);
        }
        for (Path page : pages) {
            found.addAll(find(page.toString(), prose(Files.readString(page))));
        }
        assertThat(found).isEmpty();
    }

    @Test
    void shouldUseTheTermsInComments() throws IOException {
        List<String> found = new ArrayList<>();
        try (Stream<Path> files = Files.walk(Path.of("src/main/java"))) {
            for (Path file : files.filter(each -> each.toString().endsWith(".java"))
                    .sorted()
                    .toList()) {
                String comments = Files.readString(file)
                        .lines()
                        .map(line ->
                                COMMENT.matcher(line).find() ? TAG.matcher(line).replaceAll("") : "")
                        .collect(Collectors.joining("\n"));
                found.addAll(find(file.toString(), comments));
            }
        }
        assertThat(found).isEmpty();
    }

    @Test
    void shouldUseTheTermsInMessages() throws IOException {
        List<String> found = new ArrayList<>();
        try (Stream<Path> files = Files.walk(Path.of("src/main/java"))) {
            for (Path file : files.filter(each -> each.toString().endsWith(".java"))
                    .sorted()
                    .toList()) {
                String messages = Files.readString(file)
                        .lines()
                        .map(LanguageTest::messagesIn)
                        .collect(Collectors.joining("\n"));
                found.addAll(find(file.toString(), messages));
            }
        }
        assertThat(found).isEmpty();
    }

    /** What is wrong, and then what is allowed or what to do. Parts of expressions' errors stand within sentences. */
    @Test
    void shouldBeginErrorsAsSentences() throws IOException {
        List<String> found = new ArrayList<>();
        try (Stream<Path> files = Files.walk(Path.of("src/main/java"))) {
            for (Path file : files.filter(each -> each.toString().endsWith(".java"))
                    .filter(each -> !each.startsWith("src/main/java/io/millrace/expression"))
                    .sorted()
                    .toList()) {
                ERROR.matcher(Files.readString(file))
                        .results()
                        .map(error -> error.group(1))
                        .filter(message -> !SENTENCE.matcher(message).lookingAt())
                        .forEach(message -> found.add(file + ": " + message));
            }
        }
        assertThat(found).isEmpty();
    }

    /** The texts of a line of code; a text without a space is a name. */
    private static String messagesIn(String line) {
        return COMMENT.matcher(line).find()
                ? ""
                : TEXT.matcher(line)
                        .results()
                        .map(MatchResult::group)
                        .filter(text -> text.contains(" "))
                        .collect(Collectors.joining(" "));
    }

    @Test
    void shouldUseTheTermsInDescriptionsOfPropertiesAndMeters() throws IOException {
        String metadata = Files.readString(Path.of("target/classes/META-INF/spring-configuration-metadata.json"));
        List<String> descriptions = DESCRIPTION
                .matcher(metadata)
                .results()
                .map(match -> match.group(1))
                .toList();
        List<String> found = new ArrayList<>(find("configuration", String.join("\n", descriptions)));
        for (MillraceMeter meter : MillraceMeter.values()) {
            found.addAll(find(meter.name(), meter.description()));
        }
        assertThat(descriptions).hasSizeGreaterThan(60);
        assertThat(found).isEmpty();
    }

    /** The words of which identifiers consist, with those of tests and benchmarks. */
    @Test
    void shouldUseTheTermsInIdentifiers() throws IOException {
        List<String> found = new ArrayList<>();
        for (String folder : List.of("src/main/java", "src/test/java", "src/jmh/java", "examples")) {
            try (Stream<Path> files = Files.walk(Path.of(folder))) {
                for (Path file : files.filter(each -> each.toString().endsWith(".java"))
                        .sorted()
                        .toList()) {
                    String words = identifiers(Files.readString(file));
                    found.addAll(find(file.toString(), words));
                    FORMER_NAMES.matcher(words).results().forEach(name -> found.add(file + ": '" + name.group() + "'"));
                }
            }
        }
        assertThat(found).isEmpty();
    }

    @Test
    void shouldFindWordsOfIdentifiers() {
        assertThat(find("Class", identifiers("int totalFigures = \"figure\"; // figure\nvoid shouldTellWho() {}")))
                .hasSize(1)
                .allMatch(found -> found.startsWith("Class:1: 'Figures'"));
        assertThat(identifiers("void shouldTellWho() {}\nMAX_FIGURES")).isEqualTo("void should Tell Who\nMAX FIGURES");
        assertThat(FORMER_NAMES.matcher(identifiers("void shouldTellWho() {}")).find())
                .isTrue();
    }

    /** Returns the words of the identifiers in each line of code, without comments and texts. */
    private static String identifiers(String code) {
        String names = BLOCK.matcher(code)
                .replaceAll(block -> "\n".repeat((int) block.group().lines().count() - 1));
        return names.lines()
                .map(line -> NAME.matcher(LINE_COMMENT
                                .matcher(TEXT.matcher(line).replaceAll(""))
                                .replaceAll(""))
                        .results()
                        .map(MatchResult::group)
                        .map(name -> WORD.matcher(name)
                                .results()
                                .map(MatchResult::group)
                                .collect(Collectors.joining(" ")))
                        .collect(Collectors.joining(" ")))
                .collect(Collectors.joining("\n"));
    }

    @Test
    void shouldUseTheTermsInHelpTexts() {
        List<String> found = new ArrayList<>();
        new CommandLine(new Millrace()).getSubcommands().forEach((name, command) -> {
            found.addAll(find(name, command.getUsageMessage()));
            command.getSubcommands()
                    .forEach((subcommand, each) -> found.addAll(find(name + " " + subcommand, each.getUsageMessage())));
        });
        assertThat(found).isEmpty();
    }
}
