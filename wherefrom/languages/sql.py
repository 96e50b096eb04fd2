"""SQL."""

from __future__ import annotations

from wherefrom.languages.language import Grammar, Language, none, words

SQL = Language(
    name="sql",
    grammar=Grammar("tree-sitter-sql", oldest="0.3", newest="0.3", extra="languages"),
    extensions=words(".sql .ddl .dml .pgsql .psql .mysql"),
    filenames=none("its files have endings"),
    claims=none("shares no ending with another language"),
    interpreters=none("nothing runs its files by a shebang line"),
    aliases=words("postgresql postgres mysql sqlite plpgsql tsql psql"),
    tags=words("sql-server oracle oracle-database"),
    script_types=none("not written inside HTML"),
    names=words("identifier parameter"),
    strings=none("told by `literals`"),
    code_in_strings=none("its strings hold no code"),
    spelling=none("a string has one spelling, and other quotes make it a name"),
    numbers=none("told by `literals`"),
    literals=words("literal"),
    comments=words("comment marginalia"),
    blanks=none("the grammar leaves white space out"),
    fragments=none("the grammar parses all code"),
    prose=none("holds no running text"),
    noise=none("its formatters change white space and the case of words alone"),
    functions=words("create_function create_procedure function_declaration"),
    has_doc_strings=False,
    long_comments=((b"/*", b"*/"),),
    long_literals=none("an ordinary literal may run over lines; its quotes say nothing"),
    opening=none("a fragment parses without its file"),
    prompts=none("the prompts of its shells differ by product"),
    generated_names=none("no common tool marks generated files by name"),
    minified=none("not minified in practice"),
    template_names=none("no common project generator gives its files fixed names"),
)
