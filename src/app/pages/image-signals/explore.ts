import type { DefinitionFile } from '../../../experiments/image-signals/definition';

/** One number of a definition that a person may try other values of. */
export interface Knob {
  readonly id: string;
  readonly label: string;
  readonly least: number;
  readonly most: number;
  readonly step: number;
  readonly frozen: number;
  readonly set: (file: DefinitionFile, value: number) => DefinitionFile;
}

const STEPS = 1000;

function fraction(text: string): number {
  const [over = '0', under = '1'] = text.split('/');
  return Number(over) / Number(under);
}

/** Every level and threshold of a definition, as knobs. Regions stay as they are. */
export function knobsOf(file: DefinitionFile): readonly Knob[] {
  const knobs: Knob[] = [];
  for (const [name, terms] of Object.entries(file.predicates)) {
    terms.forEach((term, index) => {
      for (const side of ['at_least', 'at_most'] as const) {
        const frozen = term[side];
        if (frozen === undefined) continue;
        const sign = side === 'at_least' ? '≥' : '≤';
        knobs.push({
          id: `${name}.${index}.${side}`,
          label: `${name}: ${term.feature.replaceAll('_', ' ')} ${sign}`,
          least: term.feature.includes('dominance') ? -255 : 0,
          most: 255,
          step: 1,
          frozen,
          set: (from, value) => ({
            ...from,
            predicates: {
              ...from.predicates,
              [name]: (from.predicates[name] ?? []).map((each, i) =>
                i === index ? { ...each, [side]: value } : each,
              ),
            },
          }),
        });
      }
    });
  }
  file.signals.forEach((signal, index) => {
    const text =
      signal.statistic === 'components'
        ? signal.least_area
        : signal.pass === undefined
          ? null
          : 'at_least' in signal.pass
            ? signal.pass.at_least
            : signal.pass.at_most;
    if (text === null) return;
    const mean = signal.statistic === 'mean';
    knobs.push({
      id: signal.id,
      label: `${signal.id.replaceAll('-', ' ')}: ${signal.statistic === 'components' ? 'least area' : 'threshold'}`,
      least: mean ? -255 : 0,
      most: mean ? 255 : signal.statistic === 'components' ? 0.05 : 0.5,
      step: mean ? 1 : 1 / STEPS,
      frozen: fraction(text),
      set: (from, value) => {
        const written = mean ? String(value) : `${Math.round(value * STEPS)}/${STEPS}`;
        return {
          ...from,
          signals: from.signals.map((each, i) => {
            if (i !== index) return each;
            if (each.statistic === 'components') return { ...each, least_area: written };
            const side = each.pass !== undefined && 'at_most' in each.pass ? 'at_most' : 'at_least';
            return { ...each, pass: side === 'at_most' ? { at_most: written } : { at_least: written } };
          }),
        };
      },
    });
  });
  return knobs;
}
