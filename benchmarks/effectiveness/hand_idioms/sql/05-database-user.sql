DROP DATABASE IF EXISTS orchard;
CREATE DATABASE orchard CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci;

CREATE USER 'orchard'@'localhost' IDENTIFIED BY 'changeme';
GRANT ALL PRIVILEGES ON orchard.* TO 'orchard'@'localhost';
FLUSH PRIVILEGES;

USE orchard;
