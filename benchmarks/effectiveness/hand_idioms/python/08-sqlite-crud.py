class RecipeStore:
    def __init__(self, db_path):
        self.conn = sqlite3.connect(db_path)
        self.conn.row_factory = sqlite3.Row
        self.cursor = self.conn.cursor()

    def create_table(self):
        self.cursor.execute(
            "CREATE TABLE IF NOT EXISTS recipes (id INTEGER PRIMARY KEY AUTOINCREMENT, title TEXT NOT NULL, servings INTEGER)"
        )
        self.conn.commit()

    def add(self, title, servings):
        self.cursor.execute("INSERT INTO recipes (title, servings) VALUES (?, ?)", (title, servings))
        self.conn.commit()
        return self.cursor.lastrowid

    def get(self, recipe_id):
        self.cursor.execute("SELECT * FROM recipes WHERE id = ?", (recipe_id,))
        return self.cursor.fetchone()

    def close(self):
        self.conn.close()
