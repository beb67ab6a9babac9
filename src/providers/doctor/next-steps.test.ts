import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { CATALOGUE, entryOf } from '../catalogue';
import { CODES, type Code, canBeAsked, nextSteps, type System } from '.';
import type { Facts } from './diagnosis';
import { commandLine } from './next-steps';

const ORIGIN = 'https://lab.example';
const SYSTEMS: readonly System[] = ['macos', 'windows', 'linux'];

function steps(
  code: Code,
  provider: string,
  system: System = 'linux',
  facts: Facts = {},
  baseUrl?: string,
  model = 'eye',
) {
  const entry = entryOf(provider);
  return nextSteps(
    { code, sentence: '', meaning: '', facts },
    {
      entry,
      baseUrl: baseUrl ?? entry.baseUrl ?? 'http://localhost:1',
      model,
      system,
      origin: ORIGIN,
      page: { chromium: true },
    },
  );
}
const lines = (...given: Parameters<typeof steps>) => steps(...given).flatMap(({ copy }) => copy ?? []);

describe('the next steps', () => {
  it.each<[System, string]>([
    ['macos', `launchctl setenv OLLAMA_ORIGINS "${ORIGIN}"`],
    ['windows', `setx OLLAMA_ORIGINS "${ORIGIN}"`],
    ['linux', `[Service]\nEnvironment="OLLAMA_ORIGINS=${ORIGIN}"`],
  ])('let this page into Ollama on %s', (system, line) => {
    expect(lines('cors_refused', 'ollama', system)).toContain(line);
  });

  it.each<[Code, string, string, Facts?, string?]>([
    ['cors_refused', 'lm-studio', 'lms server start --cors'],
    ['cors_refused', 'vllm', `--allowed-origins '["${ORIGIN}"]'`],
    ['cors_refused', 'llama-server', `--cors-origins "${ORIGIN}"`],
    ['cors_refused', 'openai', `Access-Control-Allow-Origin: ${ORIGIN}`],
    [
      'cors_refused',
      'jev',
      'npm run -s pixelproof -- doctor --provider jev --base-url https://api.typesafe.ai/v1/systemone --model eye --api-key-env TYPESAFE_API_KEY',
    ],
    ['server_down', 'ollama', 'sudo systemctl start ollama'],
    ['server_down', 'ollama', 'http://localhost:11434', {}, 'http://localhost:11435'],
    ['server_down', 'lm-studio', 'lms server start --port 4321 --cors', {}, 'http://127.0.0.1:4321'],
    ['model_missing', 'ollama', 'ollama pull eye', { installed: ['ear'] }],
    ['model_missing', 'ollama', 'eye:latest', { installed: ['ear', 'eye:latest'] }],
    ['wrong_model', 'lm-studio', 'ear', { named: 'ear' }],
    ['bad_address', 'ollama', 'http://localhost:1', { meant: 'http://localhost:1' }],
    ['wrong_port', 'ollama', 'http://localhost:11434', { answers: 'LM Studio' }, 'http://localhost:1234'],
    [
      'local_network_not_asked',
      'ollama',
      'allow="local-network-access; loopback-network; local-network"',
      { unasked: 'framed' },
    ],
    [
      'local_network_denied',
      'ollama',
      'chrome://settings/content/siteDetails?site=https%3A%2F%2Flab.example',
    ],
    ['mixed_content', 'ollama', 'http://127.0.0.1:11434', {}, 'http://box:11434'],
    ['text_only_model', 'llama-server', '--mmproj mmproj.gguf'],
    ['redirect', 'ollama', 'curl -I http://localhost:11434'],
  ])('%s, %s: %s', (code, provider, line, facts, baseUrl) => {
    expect(lines(code, provider, 'linux', facts, baseUrl)).toContain(line);
  });

  it('are there for everything that is wrong, with every provider and system', () => {
    for (const code of CODES) {
      for (const { id } of CATALOGUE) {
        for (const system of SYSTEMS) {
          const made = steps(code, id, system);
          if (canBeAsked({ code })) expect(made).toEqual([]);
          else expect(made.length, `${code}, ${id}, ${system}`).toBeGreaterThan(0);
          for (const { text } of made) expect(text).toMatch(/[.:]$/);
        }
      }
    }
  });

  it('quote what a shell would read more into, and show no secret of an address', () => {
    const given = {
      entry: entryOf('ollama'),
      baseUrl: 'http://me:secret@localhost:11434',
      model: "eye'; rm -rf $HOME `id` \u2019",
    };
    const line = commandLine({ ...given, system: 'linux' });
    expect(line).toContain("--model 'eye'\\''; rm -rf $HOME `id` \u2019'");
    expect(line).not.toContain('secret');
    const windows = commandLine({ ...given, system: 'windows' });
    expect(windows).toContain("--model 'eye''; rm -rf $HOME `id` \u2019\u2019'");
    expect(lines('model_missing', 'ollama')).toEqual(['ollama pull eye']);
    for (const code of ['model_missing', 'text_only_model'] as const) {
      const typed = (model: string) => lines(code, 'ollama', 'linux', {}, undefined, model)[0];
      expect(typed('eye; reboot')).toMatch(/^ollama (pull|show) 'eye; reboot'$/);
      expect(typed('--help')).toMatch(/^ollama (pull|show) MODEL$/);
    }
    expect(commandLine({ ...given, model: ' -h', system: 'linux' })).toContain('--model MODEL');
    for (const [provider, start] of [
      ['vllm', 'vllm serve '],
      ['llama-server', 'llama-server -m model.gguf --mmproj mmproj.gguf --alias '],
    ] as const) {
      const typed = (model: string) =>
        lines('server_down', provider, 'linux', {}, undefined, model).find((each) => each.startsWith(start));
      expect(typed('eye; reboot')).toContain(`${start}'eye; reboot' --port `);
      expect(typed('eye')).toContain(`${start}eye --port `);
      expect(typed('')).toMatch(/ (MODEL|model) --port /);
    }
  });
});

it('docs/providers.md lists every code of the doctor', () => {
  const docs = readFileSync(new URL('../../../docs/providers.md', import.meta.url), 'utf8');
  for (const code of CODES) expect(docs).toContain(`| \`${code}\` |`);
});
