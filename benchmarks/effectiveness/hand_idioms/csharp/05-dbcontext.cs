using Microsoft.EntityFrameworkCore;

namespace Bakery.Data
{
    public class BakeryContext : DbContext
    {
        public BakeryContext(DbContextOptions<BakeryContext> options) : base(options)
        {
        }

        public DbSet<Bread> Breads { get; set; }
        public DbSet<Baker> Bakers { get; set; }

        protected override void OnModelCreating(ModelBuilder modelBuilder)
        {
            modelBuilder.Entity<Bread>().ToTable("Breads");
            modelBuilder.Entity<Baker>().ToTable("Bakers").HasKey(b => b.Id);
        }
    }
}
