using System;
using System.Collections.Generic;
using System.ComponentModel.DataAnnotations;

namespace Stables.Models
{
    public class Horse
    {
        [Key]
        public int Id { get; set; }

        [Required]
        [StringLength(100)]
        public string Name { get; set; }

        public DateTime BornOn { get; set; }

        public int OwnerId { get; set; }

        public virtual Owner Owner { get; set; }

        public virtual ICollection<Race> Races { get; set; }
    }
}
