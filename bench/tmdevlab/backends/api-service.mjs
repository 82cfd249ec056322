/**
 * The API service of the contract: a hundred thousand products by formula, of which none is ever changed. It is not what is measured, so
 * answers are prepared as text where that is possible. Prints its port.
 */
import { createServer } from 'node:http';
import { URLSearchParams } from 'node:url';

const PRODUCTS = 100_000;
const CATEGORIES = [
  ...['Electronics', 'Books', 'Clothing', 'Sports', 'Home', 'Garden', 'Toys', 'Food', 'Beauty', 'Automotive'],
  ...['Music', 'Movies', 'Games', 'Office', 'Health', 'Pets', 'Travel', 'Tools', 'Jewelry', 'Baby'],
];
const BRANDS = ['Alpha', 'Beta', 'Gamma', 'Delta', 'Epsilon', 'Zeta', 'Eta', 'Theta', 'Iota', 'Kappa'];
const TAGS = ['sale', 'new', 'featured', 'bestseller', 'clearance', 'limited', 'popular', 'exclusive'];
const TAX = 0.085;
const SHIPPING = 5.99;
const DISCOUNT = { from: 100, share: 0.1 };

const round = (amount) => Math.round(amount * 100) / 100;

function productAt(index) {
  const [category, brand] = [CATEGORIES[index % CATEGORIES.length], BRANDS[index % BRANDS.length]];
  const sku = `SKU-${String(index + 1).padStart(6, '0')}`;
  return {
    id: index + 1,
    sku,
    name: `${brand} ${category} Item ${index + 1}`,
    category,
    brand,
    price: 1 + (index % 99_900) / 100,
    stock: index % 501,
    rating: 1 + (index % 40) / 10,
    tags: Array.from({ length: 2 + (index % 3) }, (_, tag) => TAGS[(index + tag) % TAGS.length]),
    weight: round((1 + (index % 100)) * 0.1),
    description: `${category} by ${brand}, listed as ${sku}.`,
  };
}

const products = Array.from({ length: PRODUCTS }, (_, index) => productAt(index));
const byCategory = new Map(
  CATEGORIES.map((category) => [
    category,
    products.filter((product) => product.category === category).sort((a, b) => a.price - b.price),
  ]),
);
const searches = new Map();

function search(query) {
  const known = searches.get(query);
  if (known !== undefined) return known;
  const wanted = new URLSearchParams(query);
  const category = wanted.get('category') || 'Electronics';
  const [from, to] = [Number(wanted.get('min_price') ?? 0), Number(wanted.get('max_price') || Infinity)];
  const found = (byCategory.get(category) ?? []).filter(({ price }) => price >= from && price <= to);
  const limit = Number(wanted.get('limit')) || 10;
  const answer = JSON.stringify({ category, total_found: found.length, products: found.slice(0, limit) });
  // A benchmark asks the same question all the time; a strange one does not fill the memory.
  if (searches.size < 1000) searches.set(query, answer);
  return answer;
}

function price({ user_id: userId, items }) {
  const subtotal = round(
    items.reduce((sum, { product_id: id, quantity }) => sum + (products[id - 1]?.price ?? 0) * quantity, 0),
  );
  const isLarge = subtotal >= DISCOUNT.from;
  const [tax, shipping] = [round(subtotal * TAX), isLarge ? 0 : SHIPPING];
  const discount = isLarge ? round(subtotal * DISCOUNT.share) : 0;
  return JSON.stringify({
    order_id: `ORD-${userId.replaceAll('-', '')}-${items.length}`,
    user_id: userId,
    ...{ subtotal, tax, shipping, discount },
    total: round(subtotal + tax + shipping - discount),
    items_count: items.length,
  });
}

function answerTo(method, url, body) {
  if (method === 'POST') return url === '/cart/calculate' ? price(JSON.parse(body)) : undefined;
  if (url.startsWith('/products/search?')) return search(url.slice('/products/search?'.length));
  const product = /^\/products\/(\d+)$/.exec(url)?.[1];
  if (product !== undefined) return products[product - 1] && JSON.stringify(products[product - 1]);
  return url === '/health' ? '{"status":"ok","server_type":"api-service"}' : undefined;
}

const server = createServer((request, response) => {
  let body = '';
  request.setEncoding('utf8').on('data', (text) => (body += text));
  request.on('end', () => {
    const text = answerTo(request.method, request.url, body);
    response.writeHead(text === undefined ? 404 : 200, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(text ?? ''),
    });
    response.end(text);
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`));
