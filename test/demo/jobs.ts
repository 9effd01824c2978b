/** What the demo's jobs carry and how they fail: made up, but the way real ones look. */

/** A whole number from `low` to `high`. */
export const between = (low: number, high: number) => low + Math.floor(Math.random() * (high - low + 1));

/** One of several. */
export function pick<T>(items: readonly [T, ...T[]]): T {
  return items[between(0, items.length - 1)] ?? items[0];
}

const hex = (length: number) => Array.from({ length }, () => between(0, 15).toString(16)).join('');
const PEOPLE = ['ana', 'bo', 'chidi', 'daria', 'élodie', 'farid', 'grace', '花子'] as const;

/** A job to add. */
export interface DemoJob {
  readonly name: string;
  readonly data: Record<string, unknown>;
}

/** Makes the next job of a queue. */
export const MAKERS = {
  emails: (): DemoJob => {
    const person = pick(PEOPLE);
    const name = pick(['welcome', 'password-reset', 'invoice', 'weekly-digest']);
    const to = { name: person, address: `${person}@example.com`, locale: pick(['en', 'de', 'pt-BR', 'ja']) };
    return {
      name,
      data: { to, template: `${name}-v${between(1, 4)}`, tags: ['transactional'], trackOpens: true },
    };
  },
  images: (): DemoJob => ({
    name: pick(['thumbnail', 'resize', 'strip-metadata']),
    data: {
      source: `s3://uploads/${hex(8)}.jpg`,
      bytes: between(80_000, 9_000_000),
      sizes: [{ width: 160 }, { width: 640 }, { width: 1920, format: 'webp' }],
    },
  }),
  payments: (): DemoJob => ({
    name: pick(['capture', 'refund', 'payout']),
    data: {
      paymentId: `pay_${hex(14)}`,
      amount: { value: (between(100, 99_999) / 100).toFixed(2), currency: pick(['EUR', 'USD', 'BRL']) },
      idempotencyKey: `${hex(8)}-${hex(4)}-${hex(12)}`,
    },
  }),
  webhooks: (): DemoJob => ({
    name: pick(['order.created', 'order.shipped', 'invoice.paid']),
    data: { url: `https://hooks.example.com/${hex(6)}`, event: `evt_${hex(12)}`, attemptTimeoutMs: 5000 },
  }),
  reports: (): DemoJob => ({
    name: pick(['monthly-revenue', 'churn', 'inventory']),
    data: {
      account: between(1000, 9999),
      from: '2026-10-01',
      to: '2026-10-31',
      format: pick(['pdf', 'csv']),
    },
  }),
  imports: (): DemoJob => ({
    name: 'import-csv',
    data: { file: `customers-${between(1, 90)}.csv`, rows: between(10_000, 900_000), dryRun: false },
  }),
  exports: (): DemoJob => ({
    name: 'export-archive',
    data: { account: between(1000, 9999), tables: ['orders', 'customers', 'events'], compress: 'zstd' },
  }),
  newsletters: (): DemoJob => ({
    name: 'send-issue',
    data: {
      issue: between(40, 48),
      segment: pick(['trial', 'paying', 'lapsed']),
      recipients: between(200, 9000),
    },
  }),
  orders: (): DemoJob => ({
    name: 'fulfil-order',
    data: { orderId: between(100_000, 999_999), lines: between(1, 6), express: pick([true, false]) },
  }),
};

/** The demo's queues. */
export type DemoQueue = keyof typeof MAKERS;

function readRate(rates: Record<string, { value: number } | undefined>, currency: string): number {
  const rate = rates[currency] as { value: number };
  return rate.value;
}

function failPayment(data: Record<string, unknown>): never {
  const way = between(1, 3);
  if (way === 1) throw new Error(`Card declined: insufficient_funds (${data.paymentId})`);
  // Reads a currency that is not there: a TypeError of the kind everybody has met.
  if (way === 2) readRate({ EUR: { value: 1 } }, 'XXX');
  throw new Error('504 Gateway Timeout: the acquirer gave no answer within 10000 ms');
}

function requireDeliverable(address: string): never {
  throw new Error(`550 5.1.1 <${address}>: recipient address rejected: user unknown`);
}

function connectTo(url: string): never {
  const cause = new Error(`connect ECONNREFUSED 203.0.113.${between(2, 250)}:443`);
  throw new Error(`POST ${url} failed: ${cause.message}`, { cause });
}

/** Fails the way the work of that queue fails, with the stack trace of a real call. */
export function failLikeReality(queue: DemoQueue, data: Record<string, unknown>): never {
  switch (queue) {
    case 'emails':
      return requireDeliverable((data.to as { address: string }).address);
    case 'webhooks':
      return connectTo(String(data.url));
    case 'payments':
      return failPayment(data);
    case 'images':
      throw new RangeError(`Invalid image size ${data.bytes}: the JPEG ends before its end-of-image marker`);
    default:
      throw new Error(`Timed out after 30000 ms in ${queue}: canceling statement due to statement timeout`);
  }
}
