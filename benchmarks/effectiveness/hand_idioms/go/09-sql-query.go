func (r *HorseRepository) List(ctx context.Context) ([]Horse, error) {
	rows, err := r.db.QueryContext(ctx, "SELECT id, name, born FROM horses ORDER BY id")
	if err != nil {
		return nil, err
	}
	defer rows.Close()

	var horses []Horse
	for rows.Next() {
		var h Horse
		if err := rows.Scan(&h.ID, &h.Name, &h.Born); err != nil {
			return nil, err
		}
		horses = append(horses, h)
	}
	if err := rows.Err(); err != nil {
		return nil, err
	}
	return horses, nil
}
