/** The tables of a shop, as a REST project with TypeORM has them. */
import { ApiProperty } from '@nestjs/swagger';
import {
  Column,
  CreateDateColumn,
  Entity,
  JoinTable,
  ManyToMany,
  ManyToOne,
  OneToMany,
  PrimaryGeneratedColumn,
} from 'typeorm';

export enum OrderStatus {
  Open = 'open',
  Paid = 'paid',
  Sent = 'sent',
  Cancelled = 'cancelled',
}

@Entity()
export class Customer {
  @ApiProperty() @PrimaryGeneratedColumn() id!: number;
  @ApiProperty() @Column({ unique: true }) email!: string;
  @ApiProperty() @Column() name!: string;
  @Column({ default: '' }) passwordHash!: string;
  @ApiProperty({ type: String, nullable: true }) @Column({ type: 'text', nullable: true }) phone!: string | null;
  @CreateDateColumn() createdAt!: Date;
  @OneToMany(() => Order, (order) => order.customer) orders!: Order[];
}

@Entity()
export class Category {
  @PrimaryGeneratedColumn() id!: number;
  @Column() name!: string;
}

@Entity()
export class Product {
  @PrimaryGeneratedColumn() id!: number;
  @Column() title!: string;
  @Column('real') price!: number;
  @Column({ default: 0 }) stock!: number;
  @Column({ type: 'simple-json', default: '[]' }) tags!: string[];
  @ManyToMany(() => Category, { eager: true }) @JoinTable() categories!: Category[];
}

@Entity()
export class Order {
  @PrimaryGeneratedColumn() id!: number;
  @Column({ type: 'text', default: OrderStatus.Open }) status!: OrderStatus;
  @ManyToOne(() => Customer, (customer) => customer.orders, { eager: true }) customer!: Customer;
  @OneToMany(() => OrderLine, (line) => line.order, { cascade: true, eager: true }) lines!: OrderLine[];
  @Column({ type: 'simple-json' }) address!: { street: string; city: string; country: string };
  @CreateDateColumn() createdAt!: Date;
}

@Entity()
export class OrderLine {
  @PrimaryGeneratedColumn() id!: number;
  @ManyToOne(() => Order, (order) => order.lines) order!: Order;
  @ManyToOne(() => Product, { eager: true }) product!: Product;
  @Column() count!: number;
}
