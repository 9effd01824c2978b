/** The parts that speak to Redis; the first call reads them from disk. */
export const loadEngine = async () => (await import('./engine')).engine;
