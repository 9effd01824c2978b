/** What the server spends on each script of the protocol: ours against the reference's own, on equal queues. */
import { Queue as OracleQueue } from 'bullmq';
import type { Redis } from 'ioredis';
import { Keys } from '../../src/keys/keys';
import { SCRIPTS } from '../../src/scripts/registry.generated';
import { library } from '../conformance/support/directCalls';
import { OracleOperations } from '../conformance/support/oracle';
import type { Caller } from '../conformance/support/scenario';
import { PREFIX } from './manyQueues';
import { measureMedianTime } from './measure';
import { type CaseReport, type Cell, type Spread, spreadOf } from './report';
import { SCRIPT_CASES, type ScriptCase } from './scriptCases';
import { fillState } from './seed';

export interface ScriptSizes {
  /** Jobs that are moved in a round. */
  readonly jobs: number;
  /** Further jobs that the state of a large queue holds. */
  readonly others: number;
  readonly rounds: number;
}

/** Calls under way at a time. */
const CALLS_AT_A_TIME = 100;
/** How much slower than the reference a script may be. */
const MOST_TIMES = 2;

/** Our scripts, by their SHA. */
function callOurs(redis: Redis, keys: Keys): Caller {
  return {
    keys,
    async call(script, names, args, read = (reply) => reply) {
      const sent = args.map((a) => (a instanceof Uint8Array ? Buffer.from(a) : a));
      return { value: read(await redis.evalsha(library.load(script).sha, names.length, ...names, ...sent)) };
    },
  };
}

export async function benchScripts(admin: Redis, port: number, sizes: ScriptSizes): Promise<CaseReport> {
  const connection = { host: '127.0.0.1', port };
  const queue = new OracleQueue('theirs', { connection, prefix: PREFIX, skipMetasUpdate: true });
  await queue.waitUntilReady();
  const reference = new OracleOperations(queue, connection, PREFIX);
  const sides: readonly Caller[] = [
    callOurs(admin, new Keys(PREFIX, 'ours')),
    {
      keys: new Keys(PREFIX, 'theirs'),
      async call(script, keys, args) {
        const outcome = await reference.call(script, keys, args);
        if (!('value' in outcome)) throw new Error(`The reference's ${script}: ${JSON.stringify(outcome)}`);
        return outcome;
      },
    },
  ];
  try {
    const rows: { script: string; small: Spread; large: Spread | undefined }[] = [];
    for (const one of SCRIPT_CASES) {
      await admin.script('LOAD', library.load(one.script).text);
      const small = await compare(admin, sides, one, sizes, 0);
      const large = one.takesAll ? undefined : await compare(admin, sides, one, sizes, sizes.others);
      rows.push({ script: one.script, small, large });
    }
    return report(rows, sizes);
  } finally {
    await admin.flushall();
    await queue.close();
  }
}

/** How many times as long the reference's script takes. */
async function compare(
  admin: Redis,
  sides: readonly Caller[],
  one: ScriptCase,
  sizes: ScriptSizes,
  others: number,
): Promise<Spread> {
  const ratios: number[] = [];
  // The first round warms up both: the reference loads its script then.
  for (let round = -1; round < sizes.rounds; round += 1) {
    const times: number[] = [];
    for (const index of round % 2 === 0 ? [0, 1] : [1, 0]) {
      const side = sides[index];
      if (side) times[index] = await measure(admin, side, one, sizes.jobs, others);
    }
    const [ours = Number.NaN, theirs = Number.NaN] = times;
    if (round >= 0) ratios.push(theirs / ours);
  }
  return spreadOf(ratios);
}

/** Microseconds of the median call. */
async function measure(
  admin: Redis,
  side: Caller,
  one: ScriptCase,
  jobs: number,
  others: number,
): Promise<number> {
  const perCall = one.jobsPerCall ?? 1;
  const calls = Math.max(Math.floor(jobs / perCall), 2);
  const fill = async (count: number) => {
    await admin.flushall();
    await admin.hset(side.keys.meta(), 'opts.maxLenEvents', 10000);
    if (one.state) await fillState(admin, side.keys, one.state, [1, count]);
    const crowd = one.crowd ?? one.state;
    if (crowd && others > 0) await fillState(admin, side.keys, crowd, [count + 1, count + others], false);
    const ids = Array.from({ length: count }, (_, i) => `${i + 1}`);
    await one.prepare?.(admin, side.keys, ids);
  };
  if (!one.takesAll) await fill(calls * perCall);
  // The first call of the reference goes out whole, not by its SHA; it is in no round that counts.
  return measureMedianTime(admin, 'evalsha', async () => {
    if (one.takesAll) {
      for (let i = 0; i < calls; i += 1) {
        await fill(perCall);
        await one.call(side, '1', i);
      }
      return;
    }
    for (let from = 0; from < calls; from += CALLS_AT_A_TIME) {
      const count = Math.min(CALLS_AT_A_TIME, calls - from);
      await Promise.all(Array.from({ length: count }, (_, i) => one.call(side, `${from + i + 1}`, from + i)));
    }
  });
}

function report(
  rows: readonly { script: string; small: Spread; large: Spread | undefined }[],
  sizes: ScriptSizes,
): CaseReport {
  const measured = new Set(rows.map(({ script }) => `${script}.lua`));
  const missing = SCRIPTS.filter(({ file, isTool }) => !isTool && !measured.has(file)).map(
    ({ file }) => file,
  );
  const slow = rows.filter(({ small, large }) => Math.min(small.median, large?.median ?? 1) < 1 / MOST_TIMES);
  return {
    title: "Scripts against the reference's own",
    about:
      'How many times as long the server is busy with a call of the script of bullmq as with a call of ours, by ' +
      '`INFO latencystats` (the median call), with the same KEYS and ARGV on equal queues: above 1 ours is faster. The ' +
      `large queue holds ${sizes.others.toLocaleString('en-US')} further jobs in the state that the script takes jobs ` +
      'from, or adds them to.',
    columns: ['script', 'small queue', 'large queue'],
    rows: rows.map(({ script, small, large }): Cell[] => [script, small, large ?? '']),
    claims: [
      {
        text: `no script takes more than ${MOST_TIMES} times as long as the reference's${slow.length > 0 ? ` (${slow.map(({ script }) => script).join(', ')})` : ''}.`,
        isHeld: slow.length === 0,
      },
      {
        text: `every script of the protocol is measured${missing.length > 0 ? ` (missing: ${missing.join(', ')})` : ''}.`,
        isHeld: missing.length === 0,
      },
    ],
  };
}
