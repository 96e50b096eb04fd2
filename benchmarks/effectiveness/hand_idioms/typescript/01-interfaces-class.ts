export interface IBeehive {
  id: number;
  location: string;
  frames: number;
  queenBorn?: Date;
}

export class Beehive implements IBeehive {
  constructor(
    public id: number,
    public location: string,
    public frames: number,
    public queenBorn?: Date,
  ) {}

  public toString(): string {
    return `Beehive(${this.id}, ${this.location})`;
  }

  public static fromJson(json: any): Beehive {
    return new Beehive(json.id, json.location, json.frames, json.queenBorn);
  }
}
