"""HTML."""

from wherefrom.languages.forms import none, words
from wherefrom.languages.language import Grammar, Language, Minified, Quote, Spelling

HTML = Language(
    name="html",
    grammar=Grammar("tree-sitter-html", oldest="0.23", newest="0.23"),
    extensions=words(
        ".html .htm .xhtml .vue .svelte .astro .jsp .jspf .jspx .cshtml .razor .ejs .erb .hbs .handlebars "
        ".mustache .twig .jinja .jinja2 .njk .asp .aspx .ascx .vbhtml .liquid .ftl .gohtml .eex .leex .heex .rhtml "
        ".shtml .latte .cfm .mjml .hta"
    ),
    aliases=words(
        "htm xhtml vue svelte html5 astro jsp cshtml razor ejs erb hbs handlebars mustache twig jinja jinja2"
    ),
    names=none("tags and attributes are vocabulary, which nobody renames"),
    strings=words("quoted_attribute_value attribute_value"),
    spelling=Spelling((Quote(b'"', b""), Quote(b"'", b""))),
    numbers=none("numbers are in attribute values or in prose"),
    comments=words("comment"),
    prose=words("text entity raw_text doctype"),
    functions=none("markup has no functions"),
    lexical=none("any text parses as HTML"),
    long_comments=((b"<!--", b"-->"),),
    minified=Minified(names=words("*.min.html"), endings=words(".html .htm"), longest=500),
)
