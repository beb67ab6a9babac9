import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readReply } from '../experiments/png-representation';
import { chatAnswer } from '../experiments/pong-controls/chat';
import { readChatReply } from '../providers/audit/chat-protocol';
import { readCandidates } from '../providers/candidates';
import { CHAT_SHAPES } from '../providers/chat-shapes';

// One strict reader for each experiment, and the same traps for all of them. docs/providers.md has the table.

const FIELDS = '"tank_column":3,"target_present":false,"target_column":-1,"cooldown":0,"confidence":0.9';
const OBJECT = `{${FIELDS}}`;
const LINES = 'TANK_COLUMN: 3\nTARGET_COLUMN: NONE\nCOOLDOWN: READY\nCONFIDENCE: 90';

describe('four labelled lines (PNG representation)', () => {
  const reads = (text: string) => readReply(text, 'labelled-lines').ok;
  it.each<[string, string, boolean]>([
    ['as asked', LINES, true],
    ['in a fence', `\`\`\`\n${LINES}\n\`\`\``, true],
    ['with prose around', `Sure. ${LINES}\nI hope that helps.`, true],
    ['after thoughts that agree', `<think>tank: 3</think>${LINES}`, true],
    ['after thoughts that say another thing', `<think>tank: 4</think>${LINES}`, false],
    ['two answers', `${LINES}\n${LINES.replace('3', '4')}`, false],
    ['a digit of another script', LINES.replace('3', '٣'), false],
    ['a full-width digit', LINES.replace('3', '\uff13'), false],
    ['a value inside a longer word', LINES.replace('NONE', 'NONESUCH'), false],
    ['a number inside a longer one', LINES.replace('3', '30'), false],
    ['a lane that is none', LINES.replace('3', '7'), false],
    ['empty', '', false],
    ['white space', ' \n\t', false],
    ['huge', `${'x '.repeat(200_000)}${LINES}`, true],
  ])('%s: %#', (_, text, ok) => expect(reads(text)).toBe(ok));
});

describe('one object of five fields (PNG representation, structured)', () => {
  const reads = (text: string) => readReply(text, 'structured');
  it.each<[string, string, boolean]>([
    ['as asked', OBJECT, true],
    ['with white space around', `\n ${OBJECT}\n`, true],
    ['in a fence', `\`\`\`json\n${OBJECT}\n\`\`\``, false],
    ['with prose around', `Here: ${OBJECT}`, false],
    ['after thoughts', `<think></think>${OBJECT}`, false],
    ['two objects', `${OBJECT}${OBJECT}`, false],
    ['a field twice', `{"tank_column":4,${FIELDS}}`, false],
    ['a field more', `{"why":"",${FIELDS}}`, false],
    ['a field less', `{${FIELDS.replace('"cooldown":0,', '')}}`, false],
    ['a digit as text', OBJECT.replace(':3', ':"3"'), false],
    ['a full-width digit', OBJECT.replace(':3', ':\uff13'), false],
    ['a fraction of a lane', OBJECT.replace(':3', ':3.0'), false],
    ['a percentage', OBJECT.replace('0.9', '90'), false],
    ['a target that contradicts itself', OBJECT.replace('false', 'true'), false],
    ['the four lines', LINES, false],
    ['empty', '', false],
  ])('%s', (_, text, ok) => expect(reads(text).ok).toBe(ok));

  it('gives a verdict on any text, and says that no JSON is none', () => {
    fc.assert(fc.property(fc.string(), (text) => typeof reads(text).ok === 'boolean'));
    expect(reads('notice')).toEqual({ ok: false, reason: 'ValueError: structured reply is not JSON' });
  });
});

describe('scores of control strings (vision controls)', () => {
  const controls = ['0', '1'].map((control) => ({ control, id: null }));
  const candidates = (...tokens: string[]) =>
    tokens.map((token, at) => ({ id: null, token, logprob: -1 - at }));
  const read = (...tokens: string[]) =>
    readCandidates({
      candidates: candidates(...tokens),
      controls,
      tokens_evaluated: null,
      vocabulary: null,
      level: 'B',
      bounded: true,
    });

  it('a token is the control exactly, or it is another token', () => {
    expect(read('0', '1').level).toBe('B');
    for (const other of ['00', ' 1', '1.', '10', '\uff11', '١', 'one', ''])
      expect(read('0', other).level).toBe('C');
    expect(() => read('00', ' 1')).toThrow(expect.objectContaining({ code: 'provider_control_missing' }));
    expect(() => read('0', '1', '0')).toThrow(expect.objectContaining({ code: 'provider_duplicate_token' }));
    expect(() => read()).toThrow(expect.objectContaining({ code: 'provider_no_logprobs' }));
  });

  it('a drawn answer is the control exactly but for white space around it; all others count for none', () => {
    const [shape] = CHAT_SHAPES.filter(({ id }) => id === 'openai');
    if (shape === undefined) throw new Error('no shape');
    const drawn = (...answers: string[]) =>
      readChatReply(
        { shape, model: 'm', tokens: controls, samples: answers.length },
        { choices: answers.map((content) => ({ message: { content } })) },
      );
    expect(drawn('0', ' 1\n', '\uff11', '10', 'no: 0', '<think>0</think>1', '`0`', '0').notes).toEqual({
      samples: 8,
      counted: 3,
    });
    expect(() => drawn('notice', '', '00')).toThrow(
      expect.objectContaining({ code: 'provider_control_missing' }),
    );
  });
});

describe('one object with a choice (Pong controls, chat model)', () => {
  const answer = '{"choice":"NOOP","confidence":1,"probabilities":{"NOOP":1}}';
  const reads = (content: string) => chatAnswer({ choices: [{ message: { content } }] });
  it('is read whole, with nothing around it', () => {
    expect(reads(` ${answer}\n`)).toMatchObject({ answers: { next_action: { choice: 'NOOP' } } });
    for (const trap of [
      '',
      'NOOP',
      `\`\`\`json\n${answer}\n\`\`\``,
      `Sure: ${answer}`,
      `<think></think>${answer}`,
      `${answer}${answer}`,
      `[${answer}]`,
      answer.replace('"choice"', '"choice":"LEFT","choice"'),
    ])
      expect(() => reads(trap), trap).toThrow(expect.objectContaining({ code: 'provider_decision_invalid' }));
  });
});
