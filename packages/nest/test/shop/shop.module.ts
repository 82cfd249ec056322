/** The shop: services over repositories of TypeORM, a route, and features that reuse the classes of the REST API. */
import {
  Body,
  ConflictException,
  Controller,
  Get,
  Injectable,
  Module,
  NotFoundException,
  Post,
  Query,
  UnauthorizedException,
} from '@nestjs/common';
import { InjectRepository, TypeOrmModule } from '@nestjs/typeorm';
import { Prompt, Resource, Tool } from '@sigil-mcp/core';
import { Between, ILike, LessThanOrEqual, MoreThanOrEqual, type Repository } from 'typeorm';
import {
  CategoryDto,
  ChangeCustomerDto,
  ChangeOrderDto,
  ChangePasswordDto,
  ChangeProductDto,
  CreateCategoryDto,
  CreateCustomerDto,
  CreateOrderDto,
  CreateProductDto,
  CustomerDto,
  CustomerFilterDto,
  IdDto,
  LoginDto,
  OrderFilterDto,
  OrderPageDto,
  OrderSummaryDto,
  PeriodDto,
  ProductFilterDto,
  RevenueDto,
  StockChangeDto,
  TokenDto,
} from './dtos';
import { Category, Customer, Order, OrderLine, OrderStatus, Product } from './entities';

@Injectable()
export class CustomersService {
  constructor(@InjectRepository(Customer) private readonly customers: Repository<Customer>) {}

  async create({ password, ...rest }: CreateCustomerDto): Promise<Customer> {
    if (await this.customers.findOneBy({ email: rest.email })) throw new ConflictException('The email is taken.');
    return this.customers.save({ ...rest, passwordHash: hashOf(password) });
  }

  async find(id: number): Promise<Customer> {
    const found = await this.customers.findOneBy({ id });
    if (!found) throw new NotFoundException(`There is no customer ${id}.`);
    return found;
  }

  async change({ id, ...changes }: ChangeCustomerDto): Promise<Customer> {
    return this.customers.save({ ...(await this.find(id)), ...changes });
  }

  list({ page, limit, order = 'asc', search = '' }: CustomerFilterDto): Promise<Customer[]> {
    return this.customers.find({
      where: { name: ILike(`%${search}%`) },
      order: { name: order },
      skip: (page - 1) * limit,
      take: limit,
    });
  }

  async login({ email, password }: LoginDto): Promise<TokenDto> {
    const found = await this.customers.findOneBy({ email, passwordHash: hashOf(password) });
    if (!found) throw new UnauthorizedException('The password is wrong.');
    return { token: `t${found.id}`, expiresIn: 3600 };
  }
}

function hashOf(password: string): string {
  return [...password].reverse().join('');
}

@Injectable()
export class ProductsService {
  constructor(
    @InjectRepository(Product) private readonly products: Repository<Product>,
    @InjectRepository(Category) private readonly categories: Repository<Category>,
  ) {}

  addCategory(category: CreateCategoryDto): Promise<Category> {
    return this.categories.save(category);
  }

  create(product: CreateProductDto): Promise<Product> {
    return this.products.save({ stock: 0, tags: [], categories: [], ...product });
  }

  async find(id: number): Promise<Product> {
    const found = await this.products.findOneBy({ id });
    if (!found) throw new NotFoundException(`There is no product ${id}.`);
    return found;
  }

  async change({ id, ...changes }: ChangeProductDto): Promise<Product> {
    return this.products.save({ ...(await this.find(id)), ...changes });
  }

  async changeStock({ id, by }: StockChangeDto): Promise<number> {
    const product = await this.find(id);
    if (product.stock + by < 0) throw new ConflictException(`Only ${product.stock} are left.`);
    return (await this.products.save({ ...product, stock: product.stock + by })).stock;
  }

  list({
    page,
    limit,
    order = 'asc',
    search = '',
    minPrice = 0,
    maxPrice = 1e9,
    inStock,
  }: ProductFilterDto): Promise<Product[]> {
    return this.products.find({
      where: {
        title: ILike(`%${search}%`),
        price: Between(minPrice, maxPrice),
        ...(inStock === true && { stock: MoreThanOrEqual(1) }),
      },
      order: { price: order },
      skip: (page - 1) * limit,
      take: limit,
    });
  }
}

@Injectable()
export class OrdersService {
  constructor(
    @InjectRepository(Order) private readonly orders: Repository<Order>,
    private readonly customers: CustomersService,
    private readonly products: ProductsService,
  ) {}

  async create({ customerId, address, lines }: CreateOrderDto): Promise<Order> {
    const customer = await this.customers.find(customerId);
    const found = await Promise.all(
      lines.map(async ({ productId, count }) => ({ product: await this.products.find(productId), count })),
    );
    return this.orders.save({ customer, address: { ...address }, lines: found, status: OrderStatus.Open });
  }

  async change({ id, status }: ChangeOrderDto): Promise<Order> {
    const order = await this.orders.findOneBy({ id });
    if (!order) throw new NotFoundException(`There is no order ${id}.`);
    return this.orders.save({ ...order, status });
  }

  async list({ page, limit, status, from, to }: OrderFilterDto): Promise<OrderPageDto> {
    const [items, total] = await this.orders.findAndCount({
      where: {
        ...(status && { status }),
        ...(from && { createdAt: MoreThanOrEqual(from) }),
        ...(to && { createdAt: LessThanOrEqual(to) }),
      },
      skip: (page - 1) * limit,
      take: limit,
    });
    return { items: items.map(summaryOf), total };
  }

  async revenue({ from, to }: PeriodDto): Promise<RevenueDto> {
    const all = await this.orders.find();
    const counted = all.filter(({ createdAt }) => (!from || createdAt >= from) && (!to || createdAt <= to));
    return { revenue: counted.map(totalOf).reduce((sum, each) => sum + each, 0), orders: counted.length };
  }
}

function totalOf({ lines }: Order): number {
  return lines.reduce((sum, { product, count }) => sum + product.price * count, 0);
}

function summaryOf(order: Order): OrderSummaryDto {
  return { id: order.id, status: order.status, customer: order.customer.name, total: totalOf(order) };
}

@Controller('products')
export class ProductsController {
  constructor(private readonly products: ProductsService) {}

  @Get() list(@Query() filter: ProductFilterDto): Promise<Product[]> {
    return this.products.list(filter);
  }

  @Post() create(@Body() product: CreateProductDto): Promise<Product> {
    return this.products.create(product);
  }
}

@Injectable()
export class ShopFeature {
  constructor(
    private readonly customers: CustomersService,
    private readonly products: ProductsService,
    private readonly orders: OrdersService,
  ) {}

  @Tool('Adds a customer', { output: CustomerDto }) addCustomer(customer: CreateCustomerDto): Promise<Customer> {
    return this.customers.create(customer);
  }
  @Tool('Changes a customer', { output: CustomerDto }) changeCustomer(change: ChangeCustomerDto): Promise<Customer> {
    return this.customers.change(change);
  }
  @Tool('Lists customers') async listCustomers(filter: CustomerFilterDto): Promise<string> {
    return (await this.customers.list(filter)).map(({ name }) => name).join(', ');
  }
  @Tool('Signs in', { output: TokenDto }) login(login: LoginDto): Promise<TokenDto> {
    return this.customers.login(login);
  }
  @Tool('Checks a password') checkPassword({ password, oldPassword }: ChangePasswordDto): string {
    return password === oldPassword ? 'same' : 'new';
  }
  @Tool('Adds a category', { output: CategoryDto }) addCategory(category: CreateCategoryDto): Promise<Category> {
    return this.products.addCategory(category);
  }
  @Tool('Adds a product') addProduct(product: CreateProductDto): Promise<Product> {
    return this.products.create(product);
  }
  @Tool('Changes a product') changeProduct(change: ChangeProductDto): Promise<Product> {
    return this.products.change(change);
  }
  @Tool('Lists products') async listProducts(filter: ProductFilterDto): Promise<string> {
    return (await this.products.list(filter)).map(({ title }) => title).join(', ');
  }
  @Tool('Changes a stock') async changeStock(change: StockChangeDto): Promise<string> {
    return String(await this.products.changeStock(change));
  }
  @Tool('Orders products') async order(order: CreateOrderDto): Promise<OrderSummaryDto> {
    return summaryOf(await this.orders.create(order));
  }
  @Tool('Changes an order') async changeOrder(change: ChangeOrderDto): Promise<OrderSummaryDto> {
    return summaryOf(await this.orders.change(change));
  }
  @Tool('Lists orders', { output: OrderPageDto }) listOrders(filter: OrderFilterDto): Promise<OrderPageDto> {
    return this.orders.list(filter);
  }
  @Tool('Sums up orders', { output: RevenueDto, readOnly: true }) revenue(period: PeriodDto): Promise<RevenueDto> {
    return this.orders.revenue(period);
  }
  @Resource('shop://products/{id}') product({ id }: IdDto): Promise<Product> {
    return this.products.find(id);
  }
  @Prompt('Writes to a customer') async letter({ id }: IdDto): Promise<string> {
    return `Write a letter to ${(await this.customers.find(id)).name}.`;
  }
}

const TABLES = [Customer, Category, Product, Order, OrderLine];

@Module({
  imports: [
    TypeOrmModule.forRoot({ type: 'sqljs', entities: TABLES, synchronize: true }),
    TypeOrmModule.forFeature(TABLES),
  ],
  controllers: [ProductsController],
  providers: [CustomersService, ProductsService, OrdersService, ShopFeature],
})
export class ShopModule {}
