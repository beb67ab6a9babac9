import { list, maybe, object, oneOf, orNull, text } from '../forms';

// What the commands about providers print with --json: providers, doctor.

export const failed = object({ code: text, message: text });
export const finding = object({
  level: oneOf(['pass', 'warning', 'failure']),
  code: text,
  where: text,
  message: text,
  expected: maybe(text),
  got: maybe(text),
});
const capability = oneOf([
  'image-text-to-text',
  'image-text-to-choices',
  'state-to-choices',
  'text-to-image',
]);
const byCapability = object({
  'image-text-to-text': maybe(text),
  'image-text-to-choices': maybe(text),
  'state-to-choices': maybe(text),
  'text-to-image': maybe(text),
});

export const providers = list(
  object({
    id: text,
    name: text,
    runs: oneOf(['in-page', 'local-server', 'hosted', 'recorded', 'wiring']),
    capabilities: list(capability),
    summary: text,
    notes: maybe(byCapability),
    baseUrl: orNull(text),
    addresses: maybe(byCapability),
    key: oneOf(['none', 'optional', 'required']),
    sharesKeyWith: maybe(text),
    model: orNull(text),
  }),
);
