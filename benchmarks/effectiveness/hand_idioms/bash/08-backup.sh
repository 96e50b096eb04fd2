#!/bin/bash

BACKUP_DIR="/var/backups/cellar"
DATE=$(date +%Y-%m-%d_%H-%M-%S)
DB_NAME="cellar"

mkdir -p "$BACKUP_DIR"

mysqldump -u "$DB_USER" -p"$DB_PASS" "$DB_NAME" | gzip > "$BACKUP_DIR/$DB_NAME-$DATE.sql.gz"

if [ $? -eq 0 ]; then
    echo "Backup completed: $BACKUP_DIR/$DB_NAME-$DATE.sql.gz"
else
    echo "Backup failed"
    exit 1
fi

find "$BACKUP_DIR" -type f -name "*.sql.gz" -mtime +7 -delete
