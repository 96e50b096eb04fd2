DROP TABLE IF EXISTS loans;

CREATE TABLE loans (
    id SERIAL PRIMARY KEY,
    book_id INTEGER NOT NULL,
    reader_id INTEGER NOT NULL,
    loaned_on DATE NOT NULL DEFAULT CURRENT_DATE,
    returned_on DATE,
    FOREIGN KEY (book_id) REFERENCES books (id) ON DELETE CASCADE,
    FOREIGN KEY (reader_id) REFERENCES readers (id) ON DELETE CASCADE
);

CREATE INDEX idx_loans_book_id ON loans (book_id);
CREATE INDEX idx_loans_reader_id ON loans (reader_id);
