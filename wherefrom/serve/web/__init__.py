"""The web server: an API and pages."""
