"""File names that frameworks and build tools give to the files they make."""

from __future__ import annotations

_NAMES = frozenset(
    {
        *("manage.py", "wsgi.py", "asgi.py", "setup.py", "conf.py", "versioneer.py", "ez_setup.py", "env.py"),
        *("apps.py", "settings.py", "urls.py", "admin.py", "conftest.py", "noxfile.py"),
        *(
            "gradlew",
            "gradlew.bat",
            "mvnw",
            "mvnw.cmd",
            "build.gradle",
            "settings.gradle",
            "mavenwrapperdownloader.java",
        ),
        *("package-info.java", "module-info.java", "mainactivity.java", "mainactivity.kt", "mainapplication.java"),
        *("exampleunittest.java", "exampleinstrumentedtest.java", "servletinitializer.java"),
        *("appdelegate.swift", "appdelegate.m", "appdelegate.mm", "appdelegate.h", "scenedelegate.swift", "main.m"),
        *("assemblyinfo.cs", "startup.cs", "global.asax.cs", "bundleconfig.cs", "routeconfig.cs", "filterconfig.cs"),
        *("gruntfile.js", "gulpfile.js", "webpack.config.js", "karma.conf.js", "protractor.conf.js", "babel.config.js"),
        *("polyfills.ts", "main.ts", "test.ts", "environment.ts", "environment.prod.ts", "app.e2e-spec.ts"),
        *("reportwebvitals.js", "serviceworker.js", "setuptests.js", "registerserviceworker.js"),
        *("application_record.rb", "application_controller.rb", "application.rb", "boot.rb", "environment.rb"),
        *("generatedpluginregistrant.swift", "flutter_window.cpp", "win32_window.cpp", "my_application.cc"),
        *("makefile.in", "configure", "install-sh", "ltmain.sh", "config.guess", "config.sub", "missing", "depcomp"),
        *("make.bat", "autogen.sh", "cmakelists.txt", "build.rs", "doc.go", "dockerfile"),
    }
)


def is_template_name(name: str) -> bool:
    """Whether a framework, a project generator or a build tool writes files of this name."""
    return name.lower() in _NAMES
