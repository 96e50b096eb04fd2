CREATE OR REPLACE FUNCTION set_changed_at()
RETURNS TRIGGER AS $$
BEGIN
    NEW.changed_at = NOW();
    RETURN NEW;
END;
$$ LANGUAGE plpgsql;

CREATE TRIGGER stables_changed_at
    BEFORE UPDATE ON stables
    FOR EACH ROW
    EXECUTE PROCEDURE set_changed_at();
