@echo off
rem Runs Maven for this project: the installed one if it is new enough, otherwise the pinned
rem distribution, fetched once from Apache's release archive and checked against its SHA-512.
rem
rem MVNW_BASE_URL     where distributions are fetched from instead (a mirror of dist/maven)
rem MAVEN_USER_HOME   the folder that keeps them, under wrapper\dists, instead of .m2 at home
setlocal EnableExtensions DisableDelayedExpansion

set "ROOT=%~dp0"
for /f "usebackq eol=# tokens=1,2 delims==" %%a in ("%ROOT%.mvn\wrapper\maven-wrapper.properties") do set "MVNW_%%a=%%b"

if not defined JAVA_HOME goto javaOnPath
if exist "%JAVA_HOME%\bin\java.exe" goto javaFound
echo mvnw: JAVA_HOME ("%JAVA_HOME%") holds no bin\java.exe>&2
exit /b 1
:javaOnPath
where java >nul 2>nul
if not errorlevel 1 goto javaFound
echo mvnw: no Java found: install a JDK of at least 17 or set JAVA_HOME>&2
exit /b 1
:javaFound

rem By its full path: called by a quoted bare name, a script finds a wrong place in its own %%~dp0.
set "MVN="
set "MVNW_FOUND="
for %%i in (mvn.cmd) do set "MVN=%%~$PATH:i"
if not defined MVN goto pinned
for /f "tokens=3" %%v in ('mvn --version 2^>nul ^| findstr /c:"Apache Maven"') do set "MVNW_FOUND=%%v"
if not defined MVNW_FOUND goto pinned
call :number %MVNW_FOUND%
set "MVNW_HAVE=%MVNW_NUMBER%"
call :number %MVNW_minimumVersion%
if %MVNW_HAVE% geq %MVNW_NUMBER% goto run

:pinned
set "MVNW_NAME=apache-maven-%MVNW_distributionVersion%"
if not defined MAVEN_USER_HOME set "MAVEN_USER_HOME=%USERPROFILE%\.m2"
set "MVNW_DISTS=%MAVEN_USER_HOME%\wrapper\dists"
rem The checksum in the name: a corrected pin never meets an older download.
set "MVNW_TARGET=%MVNW_NAME%-%MVNW_distributionSha512Sum:~0,12%"
set "MVN=%MVNW_DISTS%\%MVNW_TARGET%\bin\mvn.cmd"
if exist "%MVN%" goto run
if not defined MVNW_BASE_URL set "MVNW_BASE_URL=https://archive.apache.org/dist/maven"
set "MVNW_URL=%MVNW_BASE_URL%/maven-3/%MVNW_distributionVersion%/binaries/%MVNW_NAME%-bin.tar.gz"
set "MVNW_PART=%MVNW_DISTS%\part.%RANDOM%%RANDOM%"
mkdir "%MVNW_PART%"
if errorlevel 1 goto noFolder

echo mvnw: fetching Maven %MVNW_distributionVersion% from %MVNW_URL%>&2
where curl >nul 2>nul
if errorlevel 1 goto noCurl
curl --fail --silent --show-error --location --output "%MVNW_PART%\archive" "%MVNW_URL%"
if errorlevel 1 goto noFetch
set "MVNW_ACTUAL="
for /f "skip=1 delims=" %%h in ('certutil -hashfile "%MVNW_PART%\archive" SHA512') do if not defined MVNW_ACTUAL set "MVNW_ACTUAL=%%h"
if not defined MVNW_ACTUAL goto badChecksum
set "MVNW_ACTUAL=%MVNW_ACTUAL: =%"
if /i not "%MVNW_ACTUAL%"=="%MVNW_distributionSha512Sum%" goto badChecksum
tar -xzf "%MVNW_PART%\archive" -C "%MVNW_PART%"
if errorlevel 1 goto noUnpack
rem The rename makes a distribution appear whole; where another build was faster, its copy stays.
if not exist "%MVNW_DISTS%\%MVNW_TARGET%" ren "%MVNW_PART%\%MVNW_NAME%" "%MVNW_TARGET%" && move "%MVNW_PART%\%MVNW_TARGET%" "%MVNW_DISTS%" >nul
rmdir /s /q "%MVNW_PART%"
if exist "%MVN%" goto run
echo mvnw: could not keep Maven in %MVNW_DISTS%>&2
exit /b 1

:run
rem Inside the project Maven runs where the caller stands, so that modules build alone; from
rem elsewhere it builds the whole project.
setlocal EnableDelayedExpansion
set "HERE=!CD!\"
set "REST=!HERE:%ROOT%=!"
if /i "!ROOT!!REST!"=="!HERE!" (endlocal) else (endlocal & cd /d "%ROOT%")
"%MVN%" %*

:number
rem 3.9.16 becomes 30900016 for comparison; a qualifier such as -rc-1 is not looked at.
for /f "tokens=1-3 delims=.-" %%a in ("%~1.0.0") do set /a "MVNW_NUMBER=%%a*10000000+%%b*100000+%%c"
exit /b 0

:noFolder
echo mvnw: cannot create "%MVNW_PART%">&2
exit /b 1

:noCurl
echo mvnw: needs curl to fetch Maven; or install Maven %MVNW_minimumVersion% or newer>&2
goto failed

:noFetch
echo mvnw: could not fetch %MVNW_URL%: is the network reachable? Installing Maven %MVNW_minimumVersion% or newer makes this needless>&2
goto failed

:badChecksum
echo mvnw: wrong SHA-512 of %MVNW_URL%: expected %MVNW_distributionSha512Sum%, was %MVNW_ACTUAL%>&2
goto failed

:noUnpack
echo mvnw: could not unpack %MVNW_URL%>&2

:failed
rmdir /s /q "%MVNW_PART%"
exit /b 1
