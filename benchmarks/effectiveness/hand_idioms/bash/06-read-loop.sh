while IFS= read -r line; do
    if [ -z "$line" ] || [[ "$line" == \#* ]]; then
        continue
    fi
    name=$(echo "$line" | cut -d',' -f1)
    size=$(echo "$line" | cut -d',' -f2)
    mkdir -p "$TARGET/$name"
    echo "$name: $size" >> "$LOG_FILE"
done < "$BARRELS_FILE"
