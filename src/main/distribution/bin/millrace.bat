@echo off
rem Runs Millrace with a Java 25 and the JVM options for its command; see bin/millrace.
setlocal
set "HOME_DIR=%~dp0.."
set "JAVA=%MILLRACE_JAVA_HOME%\bin\java.exe"
if not exist "%JAVA%" set "JAVA=%JAVA_HOME%\bin\java.exe"
if not exist "%JAVA%" (
  echo millrace: Java 25 or newer is needed. Install it, or set MILLRACE_JAVA_HOME to its folder. 1>&2
  exit /b 1
)
set "OPTIONS=jvm.options"
for %%c in (check explain test convert generate model table regions positions password health generate-completion -h --help -V --version) do (
  if "%~1"=="%%c" set "OPTIONS=cli.options"
)
"%JAVA%" "@%HOME_DIR%\conf\%OPTIONS%" %JAVA_OPTS% -jar "%HOME_DIR%\lib\millrace.jar" %*
