/** Two sizes of one test: small for every change, large for `npm run soak`. */

/** The environment variable that asks for the large size. */
export const SIZE_VARIABLE = 'ECHOMQ_TEST_SIZE';
export const LARGE = 'large';

export const sized = (small: number, large: number): number =>
  process.env[SIZE_VARIABLE] === LARGE ? large : small;

/** The large size runs for as long as it takes. */
export const SIZED_TIMEOUT_MS = sized(120_000, 4 * 3_600_000);
