INSERT INTO boats (name, length, harbor_id) VALUES
    ('Marta', 12, 1),
    ('Seagull', 8, 1),
    ('Hope', 21, 2);

SELECT id, name, length FROM boats WHERE harbor_id = 1 ORDER BY name ASC LIMIT 10;

UPDATE boats SET length = 9, updated_at = NOW() WHERE id = 2;

DELETE FROM boats WHERE id = 3;
