/** The three tools, with schemas that say what those of the Sigil entry say. */

const object = (properties) => ({ type: 'object', properties, additionalProperties: false });
const USER = { type: 'string', maxLength: 64, default: 'user-00042' };
const COUNT = { type: 'integer', minimum: 1 };
const ITEM = { ...object({ product_id: COUNT, quantity: COUNT }), required: ['product_id', 'quantity'] };
const ITEMS = [
  { product_id: 42, quantity: 2 },
  { product_id: 1337, quantity: 1 },
];

/** @returns the tools over the clients of the Sigil entry */
export function toolsOf(catalog, data, serverType) {
  return [
    searchProducts(catalog, data, serverType),
    userCart(catalog, data, serverType),
    checkout(catalog, data, serverType),
  ];
}

function searchProducts(catalog, data, serverType) {
  return {
    name: 'search_products',
    description: 'Search products by category and price range, merged with popularity data',
    inputSchema: object({
      category: { type: 'string', maxLength: 40, default: 'Electronics' },
      min_price: { type: 'number', minimum: 0, default: 50 },
      max_price: { type: 'number', minimum: 0, default: 500 },
      limit: { type: 'integer', minimum: 1, maximum: 1000, default: 10 },
    }),
    run: async (query) => {
      const [found, popular] = await Promise.all([catalog.search(query), data.popular()]);
      return {
        category: query.category,
        total_found: found.total_found,
        products: found.products.map(({ id, sku, name, price, rating }) => {
          return { id, sku, name, price, rating, popularity_rank: popular.indexOf(id) + 1 };
        }),
        top10_popular_ids: popular,
        server_type: serverType,
      };
    },
  };
}

function userCart(catalog, data, serverType) {
  return {
    name: 'get_user_cart',
    description: 'Get user cart details with recent order history',
    inputSchema: object({ user_id: USER }),
    run: async ({ user_id }) => {
      const { items, total } = await data.cart(user_id);
      const [history] = await Promise.all([data.history(user_id), catalog.product(items[0]?.product_id ?? 1)]);
      const cart = { items, item_count: items.length, estimated_total: total };
      return { user_id, cart, recent_history: history, server_type: serverType };
    },
  };
}

function checkout(catalog, data, serverType) {
  return {
    name: 'checkout',
    description: 'Process checkout: calculate total, update rate limit, record history',
    inputSchema: object({
      user_id: USER,
      items: { type: 'array', items: ITEM, minItems: 1, maxItems: 100, default: ITEMS },
    }),
    run: async ({ user_id, items }) => {
      const now = Date.now();
      const [price, requests] = await Promise.all([
        catalog.calculate(user_id, items),
        data.countRequest(user_id),
        data.addOrder(user_id, { order_id: `ORD-${user_id}-${now}`, items, ts: Math.floor(now / 1000) }),
        data.countSale(items[0].product_id),
      ]);
      return {
        order_id: price.order_id,
        user_id,
        total: price.total,
        items_count: items.length,
        rate_limit_count: requests,
        status: 'confirmed',
        server_type: serverType,
      };
    },
  };
}
