    public Optional<Tenant> findById(long id) {
        String sql = "SELECT id, name, email FROM tenants WHERE id = ?";
        try (Connection conn = dataSource.getConnection();
             PreparedStatement stmt = conn.prepareStatement(sql)) {
            stmt.setLong(1, id);
            try (ResultSet rs = stmt.executeQuery()) {
                if (rs.next()) {
                    Tenant tenant = new Tenant();
                    tenant.setId(rs.getLong("id"));
                    tenant.setName(rs.getString("name"));
                    tenant.setEmail(rs.getString("email"));
                    return Optional.of(tenant);
                }
            }
        } catch (SQLException e) {
            logger.error("Failed to load tenant " + id, e);
        }
        return Optional.empty();
    }
