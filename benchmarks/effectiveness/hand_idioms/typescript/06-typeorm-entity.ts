import { Column, CreateDateColumn, Entity, ManyToOne, PrimaryGeneratedColumn } from 'typeorm';
import { Keeper } from './keeper.entity';

@Entity('enclosures')
export class Enclosure {
  @PrimaryGeneratedColumn()
  id: number;

  @Column({ length: 100 })
  name: string;

  @Column({ nullable: true })
  species: string;

  @Column({ default: true })
  open: boolean;

  @ManyToOne(() => Keeper, (keeper) => keeper.enclosures)
  keeper: Keeper;

  @CreateDateColumn()
  createdAt: Date;
}
