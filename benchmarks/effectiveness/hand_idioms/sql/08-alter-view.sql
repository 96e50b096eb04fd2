ALTER TABLE parcels ADD COLUMN weight DECIMAL(10, 2) NOT NULL DEFAULT 0;
ALTER TABLE parcels ADD COLUMN status VARCHAR(20) NOT NULL DEFAULT 'new';
ALTER TABLE parcels ADD CONSTRAINT fk_parcels_depot FOREIGN KEY (depot_id) REFERENCES depots (id);

DROP VIEW IF EXISTS open_parcels;
CREATE VIEW open_parcels AS
SELECT p.id, p.status, p.weight, d.name AS depot
FROM parcels p
JOIN depots d ON d.id = p.depot_id
WHERE p.status <> 'delivered';
