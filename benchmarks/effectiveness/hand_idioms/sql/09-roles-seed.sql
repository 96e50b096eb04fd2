CREATE TABLE roles (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL UNIQUE,
    description TEXT
);

INSERT INTO roles (id, name, description) VALUES (1, 'admin', 'Administrator');
INSERT INTO roles (id, name, description) VALUES (2, 'keeper', 'Keeper of the animals');
INSERT INTO roles (id, name, description) VALUES (3, 'guest', 'Guest');
