@Entity(tableName = "seeds")
data class Seed(
    @PrimaryKey(autoGenerate = true) val id: Int = 0,
    @ColumnInfo(name = "name") val name: String,
    @ColumnInfo(name = "sown_at") val sownAt: Long
)

@Dao
interface SeedDao {
    @Query("SELECT * FROM seeds ORDER BY name ASC")
    fun getAll(): Flow<List<Seed>>

    @Insert(onConflict = OnConflictStrategy.REPLACE)
    suspend fun insert(seed: Seed)

    @Delete
    suspend fun delete(seed: Seed)
}
