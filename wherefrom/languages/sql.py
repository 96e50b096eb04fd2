"""SQL."""

from wherefrom.languages import forms
from wherefrom.languages.forms import none, words
from wherefrom.languages.language import Grammar, Language, Lexical

_KEYWORDS = words(
    "ADD ALL ALTER AND ANY AS ASC BEGIN BETWEEN BIGINT BOOLEAN BY CASCADE CASE CHAR CHECK COLUMN CONSTRAINT CREATE "
    "CROSS DATE DECIMAL DEFAULT DELETE DESC DISTINCT DOUBLE DROP ELSE END EXISTS FALSE FLOAT FOR FOREIGN FROM FULL "
    "FUNCTION GROUP HAVING IF IN INDEX INNER INSERT INT INTEGER INTO IS JOIN KEY LEFT LIKE LIMIT NOT NULL NUMERIC "
    "OFFSET ON OR ORDER OUTER PRIMARY REFERENCES RETURNING RETURNS RIGHT SELECT SERIAL SET SMALLINT TABLE TEXT THEN "
    "TIMESTAMP TO TRIGGER TRUE UNION UNIQUE UPDATE USING VALUES VARCHAR VIEW WHEN WHERE WITH"
)

SQL = Language(
    name="sql",
    grammar=Grammar("tree-sitter-sql", oldest="0.3", newest="0.3"),
    extensions=words(".sql .ddl .dml .pgsql .psql .mysql"),
    aliases=words("postgresql postgres mysql sqlite plpgsql tsql psql"),
    tags=words("sql-server oracle oracle-database"),
    names=words("identifier parameter"),
    strings=none("`literals` has them"),
    spelling=none("a string has one spelling, and other quotes make it a name"),
    numbers=none("`literals` has them"),
    literals=words("literal"),
    comments=words("comment marginalia"),
    functions=words("create_function create_procedure function_declaration"),
    lexical=Lexical(
        comments=(rb"--[^\n]*+", rb"/\*.*?\*/"),
        strings=(rb"'(?:[^']|'')*+'",),
        names=(rb'`[^`\n]++`|"[^"\n]++"', forms.WORD),
        reserved=(*_KEYWORDS, *(keyword.lower() for keyword in _KEYWORDS)),
    ),
    long_literals=(forms.LONG_SINGLE,),
)
