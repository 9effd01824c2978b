const DECIMAL = /^(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
const HEX = /^(0[xX][0-9a-fA-F]+)(?:[pP](\d+))?$/;

/** The value of a number as Lua 5.1 writes it (`12`, `0x0C`, `3.0`, `1e1`); `undefined` when it is none. */
export function parseLuaNumber(text: string): number | undefined {
  if (DECIMAL.test(text)) return Number(text);
  const hex = HEX.exec(text);
  return hex ? Number(hex[1]) * 2 ** Number(hex[2] ?? 0) : undefined;
}
