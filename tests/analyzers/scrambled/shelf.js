const greeting = "Shelf of the week: ";

function median(numbers) {
  const sorted = numbers.slice().sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  if (sorted.length % 2 === 1) {
    return sorted[middle];
  }
  return (sorted[middle - 1] + sorted[middle]) / 2;
}

class Shelf {
  constructor(books) {
    this.books = books;
    this.isOpen = true;
  }

  byAuthor(author) {
    return this.books.filter((book) => book.author === author);
  }

  describe() {
    const years = this.books.map((book) => book.published.year);
    const oldest = Math.min(...years);
    console.log(greeting + this.books.length + " books", { oldest: oldest, median: median(years) });
    return typeof oldest === "number" ? ["oldest", oldest] : null;
  }
}

module.exports = { Shelf: Shelf, median: median };
