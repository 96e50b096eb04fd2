BEGIN;

CREATE TABLE dishes (
    id BIGSERIAL PRIMARY KEY,
    name TEXT NOT NULL
);

CREATE TABLE ingredients (
    id BIGSERIAL PRIMARY KEY,
    name TEXT NOT NULL
);

CREATE TABLE dish_ingredients (
    dish_id BIGINT NOT NULL REFERENCES dishes (id),
    ingredient_id BIGINT NOT NULL REFERENCES ingredients (id),
    quantity NUMERIC(10, 2) NOT NULL,
    PRIMARY KEY (dish_id, ingredient_id)
);

COMMIT;
