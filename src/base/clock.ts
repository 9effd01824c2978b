/** The time in ms since the epoch, as a function so that tests can hold it still. */
export type Clock = () => number;
export const systemClock: Clock = () => Date.now();
