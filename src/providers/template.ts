/** The families of turn wrappers, by what a server renders for a probe turn. */
export type TemplateClass = 'native_gemma3_turn' | 'native_gemma4_turn' | 'degraded_chatml' | 'unsupported';

const MARKS: readonly (readonly [TemplateClass, readonly string[]])[] = [
  ['native_gemma3_turn', ['<start_of_turn>', '<end_of_turn>']],
  ['native_gemma4_turn', ['<|turn>', '<turn|>']],
  ['degraded_chatml', ['<|im_start|>']],
];

/** `unsupported` for none of the marks, and for marks of more than one family. */
export function classifyTemplate(rendered: string): TemplateClass {
  const found = MARKS.filter(([, marks]) => marks.some((mark) => rendered.includes(mark)));
  const [only, more] = found;
  return only === undefined || more !== undefined ? 'unsupported' : only[0];
}
