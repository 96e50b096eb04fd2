export class PicnicBuilder {
  private place?: string;
  private guests = 0;
  private dishes: string[] = [];

  withPlace(place: string): this {
    this.place = place;
    return this;
  }

  withGuests(guests: number): this {
    this.guests = guests;
    return this;
  }

  addDish(dish: string): this {
    this.dishes.push(dish);
    return this;
  }

  build(): Picnic {
    return new Picnic(this.place, this.guests, this.dishes);
  }
}
