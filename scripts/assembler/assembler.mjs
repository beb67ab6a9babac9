// A small 6502 assembler. A line is `label: statement ; comment`, each part optional. Statements: an instruction,
// `name = expression`, `.org address`, `.byte` and `.word` with a list, `.samepage label` (an error unless the label and
// this statement share a page, where timing needs it). A label that begins with @ belongs to the plain label before it.
// An address below $100 is taken as zero page where the instruction has that mode; `lda.w` insists on two bytes.
import { evaluate } from './expression.mjs';
import { OPCODES } from './opcodes.mjs';

/** What fills the image between statements: the value of an erased chip. */
const ERASED = 0xff;
const MOST_PASSES = 8;
const TWO_BYTES = { zp: 'abs', zpx: 'abx', zpy: 'aby' };
const OPERANDS = [
  [/^#(.+)$/, ['imm']],
  [/^\((.+),\s*x\)$/i, ['izx']],
  [/^\((.+)\)\s*,\s*y$/i, ['izy']],
  [/^(.+),\s*x$/i, ['zpx', 'abx']],
  [/^(.+),\s*y$/i, ['zpy', 'aby']],
];

/**
 * Assembles a source text. Gives the image from the lowest address to the highest, its first address, and every name's
 * value. Throws an Error whose message begins with the line number.
 */
export function assemble(source) {
  const lines = source.split('\n').map(parseLine);
  let names = new Map();
  for (let pass = 0; pass < MOST_PASSES; pass += 1) {
    const result = runPass(lines, names, false);
    const settled = same(names, result.names);
    names = result.names;
    if (settled) return image(runPass(lines, names, true));
  }
  throw new Error('line 0: the addresses do not settle');
}

function parseLine(text, index) {
  let rest = withoutComment(text).trim();
  const number = index + 1;
  const label = /^(@?[a-z_]\w*):/i.exec(rest);
  if (label !== null) rest = rest.slice(label[0].length).trim();
  const assignment = /^([a-z_]\w*)\s*=\s*(.+)$/i.exec(rest);
  if (assignment !== null) return { number, label: label?.[1], name: assignment[1], operand: assignment[2] };
  const [, word, operand] = /^(\S*)\s*(.*)$/.exec(rest) ?? [];
  return { number, label: label?.[1], word: word?.toLowerCase() ?? '', operand: operand?.trim() ?? '' };
}

/** A semicolon within quotes is a character. */
function withoutComment(text) {
  return /^(?:'.'|[^;])*/.exec(text)?.[0] ?? '';
}

function runPass(lines, before, final) {
  const state = { names: new Map(), bytes: new Map(), pc: 0, scope: '' };
  for (const line of lines) {
    try {
      statement(line, state, before, final);
    } catch (error) {
      throw new Error(`line ${line.number}: ${error instanceof Error ? error.message : error}`);
    }
  }
  return state;
}

function statement(line, state, before, final) {
  const full = (name) => (name.startsWith('@') ? `${state.scope}${name}` : name);
  const lookUp = (name) => {
    const value = state.names.get(full(name)) ?? before.get(full(name));
    if (value === undefined && final) throw new Error(`the name ${name} has no value`);
    return value;
  };
  const here = state.pc;
  const value = (text) => evaluate(text, lookUp, here);
  const define = (name, as) => {
    if (state.names.has(full(name))) throw new Error(`the name ${name} is defined twice`);
    if (as !== undefined) state.names.set(full(name), as);
  };
  const emit = (byte) => {
    if (state.bytes.has(state.pc)) throw new Error(`the address ${state.pc} is filled twice`);
    state.bytes.set(state.pc, byte & 0xff);
    state.pc += 1;
  };
  const emitByte = (given) => emit(inRange(given ?? 0, -128, 255));
  const emitWord = (given) => {
    const word = inRange(given ?? 0, -32768, 65535);
    emit(word);
    emit(word >> 8);
  };

  if (line.label !== undefined) {
    if (!line.label.startsWith('@')) state.scope = line.label;
    define(line.label, state.pc);
  }
  if (line.name !== undefined) define(line.name, value(line.operand));
  else if (line.word === '.org') {
    const address = value(line.operand);
    if (address === undefined) throw new Error('.org needs a value that is known before it');
    state.pc = inRange(address, 0, 0xffff);
  } else if (line.word === '.byte') for (const item of list(line.operand)) emitByte(value(item));
  else if (line.word === '.word') for (const item of list(line.operand)) emitWord(value(item));
  else if (line.word === '.samepage') {
    if (final && value(line.operand) >> 8 !== (state.pc - 1) >> 8) {
      throw new Error(`${line.operand} lies in another page`);
    }
  } else if (line.word !== '') {
    const { mode, opcode, text } = instruction(line, value);
    const operand = text === null ? undefined : value(text);
    const next = state.pc + 2;
    emit(opcode);
    if (mode === 'rel') emit(operand === undefined ? 0 : inRange(operand - next, -128, 127));
    else if (['abs', 'abx', 'aby', 'ind'].includes(mode)) emitWord(operand);
    else if (text !== null) emitByte(operand);
  }
}

/** Finds mode and opcode of an instruction; `text` is the expression in its operand, null without one. */
function instruction({ word, operand }, value) {
  const wide = word.endsWith('.w');
  const mnemonic = (wide ? word.slice(0, -2) : word).toUpperCase();
  const modes = OPCODES.get(mnemonic);
  if (modes === undefined) throw new Error(`${word} is neither an instruction nor a directive`);
  const found = (mode, text) => {
    const opcode = modes.get(mode);
    if (opcode === undefined) throw new Error(`${mnemonic} has no such addressing mode: "${operand}"`);
    return { mode, opcode, text };
  };
  if (operand === '' || /^a$/i.test(operand)) return found(modes.has('acc') ? 'acc' : 'imp', null);
  if (modes.has('rel')) return found('rel', operand);
  if (mnemonic === 'JMP') {
    const pointer = /^\((.+)\)$/.exec(operand);
    return pointer === null ? found('abs', operand) : found('ind', pointer[1]);
  }
  for (const [form, [mode, other]] of OPERANDS) {
    const text = form.exec(operand)?.[1];
    if (text !== undefined) return found(other === undefined ? mode : shorter(mode, text), text);
  }
  return found(shorter('zp', operand), operand);

  function shorter(mode, text) {
    const known = value(text);
    const fits = known !== undefined && known >= 0 && known < 0x100;
    return modes.has(mode) && !wide && (fits || !modes.has(TWO_BYTES[mode])) ? mode : TWO_BYTES[mode];
  }
}

function list(text) {
  return text.split(/,(?=(?:[^']|'.')*$)/).map((item) => item.trim());
}

function inRange(given, low, high) {
  if (given >= low && given <= high) return given;
  throw new Error(`${given} is not between ${low} and ${high}`);
}

function same(a, b) {
  return a.size === b.size && [...a].every(([name, value]) => b.get(name) === value);
}

function image({ bytes, names }) {
  const addresses = [...bytes.keys()];
  const start = addresses.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  const end = addresses.reduce((a, b) => Math.max(a, b), -1);
  const out = new Uint8Array(Math.max(0, end - start + 1)).fill(ERASED);
  for (const [address, byte] of bytes) out[address - start] = byte;
  return { bytes: out, start: end < 0 ? 0 : start, names };
}
