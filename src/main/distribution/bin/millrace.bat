@echo off
rem Runs Millrace with a Java 25 and the JVM options for its command.
rem
rem   millrace [COMMAND] [ARGUMENT...]   as java -jar lib\millrace.jar does
rem   millrace warm                      writes caches of loaded classes, with which commands and services start faster
rem
rem It reads the same environment variables as bin/millrace, which describes them. Of Java, it looks for that of
rem MILLRACE_JAVA_HOME; else for those of JAVA_HOME and of the PATH.
rem
rem Arguments reach java as they were typed: nothing copies or "calls" them, and delayed expansion is off. Paths may have
rem spaces, ampersands and parentheses, so they are in quotes and not within blocks.
setlocal EnableExtensions DisableDelayedExpansion

for %%i in ("%~dp0..") do set "_home=%%~fi"
set "_cache=%_home%\cache"
if defined MILLRACE_CACHE set "_cache=%MILLRACE_CACHE%"
set "_logs=%_home%\logs"
if defined MILLRACE_LOGS set "_logs=%MILLRACE_LOGS%"
set "_command=%~1"
if defined _command set "_command=%_command:"=%"

set "_java="
set "_found="
set "_candidate="
if defined MILLRACE_JAVA_HOME set "_candidate=%MILLRACE_JAVA_HOME:"=%\bin\java.exe"
if defined MILLRACE_JAVA_HOME call :try_java
if defined MILLRACE_JAVA_HOME goto tried
if defined JAVA_HOME set "_candidate=%JAVA_HOME:"=%\bin\java.exe"
if defined JAVA_HOME call :try_java
for %%j in (java.exe) do set "_candidate=%%~$PATH:j"
if defined _candidate call :try_java
:tried
if defined _java goto found
if not defined _found set "_found= none"
if defined MILLRACE_JAVA_HOME >&2 echo millrace: Invalid MILLRACE_JAVA_HOME:%_found% Set it to the folder of a Java 25 or newer, or unset it. No other Java was tried.
if defined MILLRACE_JAVA_HOME exit /b 1
>&2 echo millrace: Java 25 or newer is needed. Install it, or set MILLRACE_JAVA_HOME to its folder.
>&2 echo Found:%_found%
exit /b 1
:found

rem The JVM compares only dates and sizes of jars with those that a cache was made of; see bin/millrace.
set "_build="
for /f "usebackq" %%c in ("%_home%\lib\millrace.jar.sha256") do set "_build=%%c"
set "_cli_cache=%_cache%\cli-%_build%.aot"
set "_service_cache=%_cache%\service-%_build%.jsa"

rem JVM options of services: first those of jvm.options, last those of JAVA_OPTS. The JVM refuses to start with two
rem collectors.
set "_collector="
set "_given= "
if defined JAVA_OPTS set "_given=%JAVA_OPTS:"=%"
if defined JDK_JAVA_OPTIONS set "_given=%_given% %JDK_JAVA_OPTIONS:"=%"
if defined JAVA_TOOL_OPTIONS set "_given=%_given% %JAVA_TOOL_OPTIONS:"=%"
if not "%_given:+UseSerialGC=%"=="%_given%" set "_collector=-XX:-UseZGC"
if not "%_given:+UseParallelGC=%"=="%_given%" set "_collector=-XX:-UseZGC"
if not "%_given:+UseG1GC=%"=="%_given%" set "_collector=-XX:-UseZGC"
if not "%_given:+UseShenandoahGC=%"=="%_given%" set "_collector=-XX:-UseZGC"
set _service="@%_home%\conf\jvm.options"
pushd "%_home%\conf\jvm.options.d"
for %%f in (*.options) do (
  set "_file=%%f"
  call :add_file
)
popd
set _service=%_service% %_collector% %JAVA_OPTS% "-Xlog:aot*=off,cds*=off"
set _cli="@%_home%\conf\cli.options" "-Xlog:aot*=off,cds*=off"
set _main=-jar "%_home%\lib\millrace.jar"

if "%_command%"=="warm" goto warm
rem What follows the jar of Millrace on the class path. Java replaces each asterisk by the jars of its folder.
set "_added="
if exist "%_home%\extensions\*.jar" set "_added=;%_home%\extensions\*"
rem Everything that ends. LauncherCommandsTest compares this list with the commands of Millrace; the others are services.
rem As in bin/millrace, the optimizing compiler compiles backtest and table.
set _options=%_cli%
if not defined _added set _options=%_cli% "-XX:AOTCache=%_cli_cache%"
for %%c in (check explain test convert generate model regions positions pipelines rules top tap password health help generate-completion) do if "%_command%"=="%%c" goto run
for %%c in (-h --help -V --version) do if "%_command%"=="%%c" goto run
set _options=%_options% -XX:TieredStopAtLevel=4
for %%c in (backtest table) do if "%_command%"=="%%c" goto run

if exist "%_service_cache%" set _service=%_service% "-XX:SharedArchiveFile=%_service_cache%"
set "_writable="
mkdir "%_logs%" 2> nul
copy /y nul "%_logs%\writable.tmp" > nul 2>&1 && set "_writable=true"
if defined _writable del "%_logs%\writable.tmp"
if defined _writable call :remove_old_gc_logs
rem The number of the process, as in bin/millrace, would need a percent sign before a colon, which Wine does not pass on.
:number_log
set "_log_number=%RANDOM%%RANDOM%"
if exist "%_logs%\gc-%_log_number%.log" goto number_log
if defined _writable set _service=%_service% "-Xlog:gc*,safepoint:file=%_logs%\gc-%_log_number%.log:time,uptime,level,tags:filecount=5,filesize=10m" "-XX:ErrorFile=%_logs%\hs_err_pid%%p.log"
if "%MILLRACE_GFSH%"=="true" set "_added=%_added%;%_home%\lib\gfsh\*"
set _options=%_service%
goto run

:warm
set "_second=%~2"
if not defined _second goto write_caches
set "_second=%_second:"=%"
if "%_second%"=="-h" goto warm_usage
if "%_second%"=="--help" goto warm_usage
>&2 echo Unknown argument: "%_second%"
>&2 echo See 'millrace warm --help'.
exit /b 2
:warm_usage
echo Usage: millrace warm
echo Writes caches of loaded classes, with which commands and services start faster.
echo Run it again after you change the Java version, the JVM options or Millrace.
echo Folder of the caches: "%_cache%" (set MILLRACE_CACHE to change it)
exit /b 0
:write_caches
mkdir "%_cache%" 2> nul
set "_writable="
copy /y nul "%_cache%\writable.tmp" > nul 2>&1 && set "_writable=true"
if defined _writable del "%_cache%\writable.tmp"
if not defined _writable >&2 echo millrace: Cannot write to the folder of caches: "%_cache%". Change its permissions, or set MILLRACE_CACHE to another folder.
if not defined _writable exit /b 1
set "_work=%TEMP%\millrace-%RANDOM%-%RANDOM%"
mkdir "%_work%"
if not exist "%_work%" exit /b 1
pushd "%_work%"
rem They configure a service, not the sample that is run here.
for %%p in (MILLRACE_ SPRING_ SERVER_ MANAGEMENT_ LOGGING_) do set %%p >> "%_work%\log" 2> nul
for /f "usebackq delims==" %%v in ("%_work%\log") do set "%%v="
echo Writes "%_cli_cache%"
"%_java%" %_cli% "-XX:AOTCacheOutput=%_work%\cli.aot" %_main% check "%_home%\conf\millrace.yml" > "%_work%\log" 2>&1 || goto not_warm
echo Writes "%_service_cache%"
"%_java%" %_service% "-XX:ArchiveClassesAtExit=%_work%\service.jsa" %_main% sample --server.port=0 --millrace.pipelines.trades.feed.generator.count=200000 --exit-when-done > "%_work%\log" 2>&1 || goto not_warm
pushd "%_cache%"
del cli-*.aot service-*.jsa 2> nul
popd
move /y "%_work%\cli.aot" "%_cli_cache%" > "%_work%\log" 2>&1
if exist "%_work%\cli.aot" goto not_warm
move /y "%_work%\service.jsa" "%_service_cache%" > "%_work%\log" 2>&1
if exist "%_work%\service.jsa" goto not_warm
popd
rmdir /s /q "%_work%"
exit /b 0
:not_warm
>&2 type "%_work%\log"
popd
rmdir /s /q "%_work%"
exit /b 1

rem Takes _candidate, a java.exe, if it is of Java 25 or newer and none was taken before. Reads the file "release" of its
rem folder, since starting a JVM takes longer; there is none for the java.exe that Oracle's installer adds to the PATH.
:try_java
if defined _java exit /b
if not exist "%_candidate%" set _found=%_found% "%_candidate%" does not exist.
if not exist "%_candidate%" exit /b
set "_version="
set "_release=%_candidate%\..\..\release"
if exist "%_release%" for /f "usebackq tokens=1,2 delims==" %%a in ("%_release%") do if "%%a"=="JAVA_VERSION" set "_version=%%b"
set "_printed=%TEMP%\millrace-%RANDOM%.txt"
if not defined _version "%_candidate%" -version > "%_printed%" 2>&1
if exist "%_printed%" for /f "usebackq tokens=2,3" %%a in ("%_printed%") do if "%%a"=="version" set "_version=%%b"
if exist "%_printed%" del "%_printed%"
if not defined _version set "_version=0"
set "_version=%_version:"=%"
for /f "delims=.-" %%v in ("%_version%") do set "_version=%%v"
set _found=%_found% "%_candidate%" is Java %_version%.
if %_version% geq 25 set "_java=%_candidate%"
exit /b

:add_file
set _service=%_service% "@%_home%\conf\jvm.options.d\%_file%"
exit /b

rem Removes the GC logs except the newest four. Windows removes no log that a JVM has open.
:remove_old_gc_logs
pushd "%_logs%"
for /f "skip=4 delims=" %%f in ('dir /b /o-d gc-*.log 2^> nul') do (
  del "%%f" > nul 2>&1
  if not exist "%%f" del "%%f.*" > nul 2>&1
)
popd
exit /b

:run
if defined _added set _main=-cp "%_home%\lib\millrace.jar%_added%" "@%_home%\lib\modules.options" io.millrace.Millrace
rem The last command, since its exit code is that of this file.
"%_java%" %_options% %_main% %*
