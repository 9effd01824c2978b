/** Indents JSON without reading its values: only white space between tokens changes, so no digit or key is lost. */
export function indentJson(text: string, indent = '  '): string {
  try {
    JSON.parse(text);
  } catch {
    return text;
  }
  const tokens = text.match(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g) ?? [];
  let depth = 0;
  let out = '';
  tokens.forEach((token, i) => {
    const next = tokens[i + 1];
    if (token === '{' || token === '[') {
      const isEmpty = next === '}' || next === ']';
      depth += 1;
      out += isEmpty ? token : `${token}\n${indent.repeat(depth)}`;
    } else if (token === '}' || token === ']') {
      depth -= 1;
      const previous = tokens[i - 1];
      out += previous === '{' || previous === '[' ? token : `\n${indent.repeat(depth)}${token}`;
    } else if (token === ',') out += `,\n${indent.repeat(depth)}`;
    else if (token === ':') out += ': ';
    else out += token;
  });
  return out;
}
