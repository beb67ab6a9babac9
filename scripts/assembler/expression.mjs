// Expressions, loosest first: | ^ & (<< >>) (+ -) (* /) and the prefixes - ~ < (low byte) > (high byte). Numbers are
// decimal, $hexadecimal, %binary or a 'character'; * alone is the address of the statement.
const TOKEN = /\s*(?:(\$[0-9a-f]+|%[01]+|\d+|'.')|(@?[a-z_.][\w.]*)|(<<|>>|[-+*/&|^~<>()]))/iy;
const LEVELS = [['|'], ['^'], ['&'], ['<<', '>>'], ['+', '-'], ['*', '/']];
const APPLY = {
  '|': (a, b) => a | b,
  '^': (a, b) => a ^ b,
  '&': (a, b) => a & b,
  '<<': (a, b) => a << b,
  '>>': (a, b) => a >> b,
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => Math.trunc(a / b),
};
const PREFIX = { '-': (a) => -a, '~': (a) => ~a, '<': (a) => a & 0xff, '>': (a) => (a >> 8) & 0xff };

/**
 * The value of an expression, undefined while a name in it has none. `lookUp` gives a name's value, `here` is the
 * value of *. Throws on a text that is no expression.
 */
export function evaluate(text, lookUp, here) {
  const tokens = tokensOf(text);
  let at = 0;
  const level = (n) => {
    if (n === LEVELS.length) return prefixed();
    let value = level(n + 1);
    while (LEVELS[n].includes(tokens[at]?.operator)) {
      const apply = APPLY[tokens[at].operator];
      at += 1;
      const right = level(n + 1);
      value = value === undefined || right === undefined ? undefined : apply(value, right);
    }
    return value;
  };
  const prefixed = () => {
    const token = tokens[at];
    at += 1;
    if (token === undefined) throw new Error(`the expression "${text}" ends too early`);
    if (token.number !== undefined) return token.number;
    if (token.name !== undefined) return lookUp(token.name);
    if (token.operator === '*') return here;
    if (token.operator === '(') {
      const value = level(0);
      if (tokens[at]?.operator !== ')') throw new Error(`a closing parenthesis is missing in "${text}"`);
      at += 1;
      return value;
    }
    const apply = PREFIX[token.operator];
    if (apply === undefined) throw new Error(`"${token.operator}" cannot stand there in "${text}"`);
    const value = prefixed();
    return value === undefined ? undefined : apply(value);
  };
  const value = level(0);
  if (at < tokens.length) throw new Error(`"${text}" is not an expression`);
  return value;
}

function tokensOf(text) {
  const tokens = [];
  TOKEN.lastIndex = 0;
  while (text.slice(TOKEN.lastIndex).trim() !== '') {
    const from = TOKEN.lastIndex;
    const match = TOKEN.exec(text);
    if (match === null) throw new Error(`"${text.slice(from).trim()}" is not an expression`);
    const [, number, name, operator] = match;
    if (number !== undefined) tokens.push({ number: numberOf(number) });
    else if (name !== undefined) tokens.push({ name });
    else tokens.push({ operator });
  }
  return tokens;
}

function numberOf(text) {
  if (text[0] === '$') return Number.parseInt(text.slice(1), 16);
  if (text[0] === '%') return Number.parseInt(text.slice(1), 2);
  return text[0] === "'" ? text.charCodeAt(1) : Number(text);
}
