import type { CatalogueEntry } from '../catalogue-entry';
import { readAddress, shownAddress } from './address';
import type { Diagnosis, NextStep } from './diagnosis';
import { type Product, productOf } from './dialects';
import type { PageAround, System } from './environment';
import { letIn, startLine, takeModel, wherePicturesAre, whereTheLogIs } from './servers';

export interface Situation {
  readonly entry: CatalogueEntry;
  readonly baseUrl: string;
  readonly model: string;
  readonly system: System;
  /** The page's origin; in a terminal the one that is to be let in, or null. */
  readonly origin: string | null;
  readonly page: Pick<PageAround, 'chromium'> | null;
}

/** How the same is asked from a terminal, in a clone of the repository: no browser stands between there. */
export function commandLine({
  entry,
  baseUrl,
  model,
  system,
}: Pick<Situation, 'entry' | 'baseUrl' | 'model' | 'system'>): string {
  const key = entry.key === 'required' ? ` --api-key-env ${keyVariable(entry.id)}` : '';
  const named = model.trim() === '' ? '' : ` --model ${modelWord(model, system)}`;
  return `npm run -s pixelproof -- doctor --provider ${entry.id} --base-url ${quoted(shownAddress(baseUrl), system)}${named}${key}`;
}

/** The variable in which a provider's key is usually kept. */
function keyVariable(id: string): string {
  const known: Readonly<Record<string, string>> = {
    anthropic: 'ANTHROPIC_API_KEY',
    gemini: 'GEMINI_API_KEY',
    openrouter: 'OPENROUTER_API_KEY',
    jev: 'TYPESAFE_API_KEY',
  };
  return known[id] ?? 'OPENAI_API_KEY';
}

/**
 * A word of a command line; quoted where a shell would read more into it: a link may have brought it. Between single
 * quotes neither a POSIX shell nor PowerShell reads anything but the quote, of which PowerShell knows five.
 */
function quoted(text: string, system: System): string {
  if (/^[\w@%+=:,./-]+$/.test(text)) return text;
  return system === 'windows'
    ? `'${text.replace(/['\u2018-\u201b]/g, '$&$&')}'`
    : `'${text.replaceAll("'", "'\\''")}'`;
}

/** A model's name as a word of a command line. No quote keeps a program from taking a first hyphen for an option. */
function modelWord(model: string, system: System): string {
  return model.trim().startsWith('-') ? 'MODEL' : quoted(model, system);
}

/** What to do next about a diagnosis, exact for one system. Nothing where nothing is wrong. */
export function nextSteps({ code, facts }: Diagnosis, at: Situation): readonly NextStep[] {
  const { entry, model, system } = at;
  const product = facts.answers ?? productOf(entry.id);
  switch (code) {
    case 'doctor_ok':
    case 'vision_unclear':
    case 'reached':
      return [];
    case 'bad_address':
      return [
        ...meantStep(facts.meant ?? entry.baseUrl),
        { text: 'An address has a scheme, a host and perhaps a port.' },
      ];
    case 'bad_key':
      return [{ text: 'Copy the key again, without spaces or a line break around it.' }];
    case 'key_missing':
      return at.page === null
        ? keyInTerminal(at)
        : [{ text: 'Put the key into its field, then check again.' }];
    case 'model_not_named':
      return listed(facts.installed, 'Name one of the models that it lists.');
    case 'mixed_content':
      return mixedContent(at);
    case 'server_down':
    case 'not_http':
      return serverDown(at, product);
    case 'host_unknown':
      return [...meantStep(entry.baseUrl), { text: 'Compare the name with the server’s own documentation.' }];
    case 'certificate_refused':
      return [
        {
          text: 'Use the name that the certificate is made for, or give the server a certificate that this system knows.',
        },
        {
          text: 'For a certificate of your own, tell Node where it is before you ask again.',
          copy: trustLine(system),
        },
      ];
    case 'local_network_denied':
      return denied(at);
    case 'local_network_not_asked':
      return unasked(facts.unasked ?? 'unanswered', at);
    case 'cors_refused':
      return corsRefused(at, product);
    case 'wrong_port':
      return wrongPort(at, facts.answers);
    case 'html_instead_of_json':
      return [
        { text: 'Open the address in a tab: if a sign-in page appears, that is what answers.' },
        ...meantStep(entry.baseUrl),
      ];
    case 'reply_broken':
    case 'server_error':
      return [{ text: 'Read what the server wrote about it.', ...copyOf(whereTheLogIs(product, system)) }];
    case 'redirect':
      return [{ text: 'See where it leads, and use that address instead.', copy: curl(at, '-I') }];
    case 'body_too_large':
      return [...meantStep(entry.baseUrl), { text: 'Check that the port is the one of this server.' }];
    case 'stalled':
      return stalled(product);
    case 'unauthorised':
      return unauthorised(at, product);
    case 'payment_required':
      return [{ text: 'Add credit to the account, or name a model that costs nothing.' }];
    case 'rate_limited':
      return [
        {
          text:
            facts.retryAfter == null
              ? 'Wait a minute, then check again.'
              : 'Wait as long as it asked, then check again.',
        },
      ];
    case 'model_loading':
      return [{ text: 'Wait until the server says that it listens, then check again.' }];
    case 'request_refused':
      return [
        { text: 'Its own words above say what it wants. Update the server if it does not know the request.' },
      ];
    case 'model_missing':
      return modelMissing(at, product, facts.installed);
    case 'text_only_model':
      return wherePicturesAre(product, modelWord(model, system));
    case 'wrong_model':
      return [
        {
          text: 'If the model that answered is the one you mean, name it so.',
          ...copyOf(facts.named ?? null),
        },
        ...(product === 'LM Studio'
          ? [{ text: 'Load the model that you asked for.', copy: `lms load ${modelWord(model, system)}` }]
          : []),
      ];
    case 'no_logprobs':
      return noLogprobs(product, entry);
  }
}

function meantStep(meant: string | null | undefined): readonly NextStep[] {
  return meant == null || meant === '' ? [] : [{ text: 'Use this address.', copy: meant }];
}

function listed(models: readonly string[] | undefined, text: string): readonly NextStep[] {
  return [{ text, ...(models?.length === 1 ? copyOf(models[0] ?? null) : {}) }];
}

function copyOf(copy: string | null): { copy?: string } {
  return copy === null ? {} : { copy };
}

/** A question that a terminal answers whatever a browser hides. */
function curl({ baseUrl, system }: Situation, flag = '-i'): string {
  return `${system === 'windows' ? 'curl.exe' : 'curl'} ${flag} ${quoted(shownAddress(baseUrl), system)}`;
}

function mixedContent(at: Situation): readonly NextStep[] {
  const address = readAddress(at.baseUrl, at.entry.baseUrl);
  const port = 'fault' in address ? '' : `:${address.port}`;
  return [
    { text: 'If the server is on this machine, ask it here.', copy: `http://127.0.0.1${port}` },
    ...(at.page?.chromium === true
      ? [
          {
            text: 'If it is in your network, use its number instead of its name: this browser lets such an address through once you allow it.',
          },
        ]
      : []),
    { text: 'Or open Pixelproof from your own machine, in a clone of the repository.', copy: 'npm start' },
    { text: 'Or ask from a terminal, where no browser is in between.', copy: commandLine(at) },
  ];
}

function serverDown(at: Situation, product: Product | null): readonly NextStep[] {
  const { entry, baseUrl, model, system } = at;
  const address = readAddress(baseUrl, entry.baseUrl);
  const usual = entry.baseUrl === null ? null : readAddress(entry.baseUrl, entry.baseUrl);
  const steps: NextStep[] = [];
  if ('fault' in address) return [{ text: 'Compare the address with the one that the server prints.' }];
  if (address.space === 'internet') {
    steps.push({
      text: 'Check the connection, and whether a blocker or a firewall stops requests to this address.',
    });
  } else {
    const start = startLine(product, {
      model: model.trim() === '' ? '' : modelWord(model, system),
      port: address.port,
      system,
    });
    steps.push(start ?? { text: 'Start the server, and compare the address with the one that it prints.' });
    if (
      usual !== null &&
      !('fault' in usual) &&
      usual.space === address.space &&
      usual.port !== address.port
    ) {
      steps.push({
        text: `${entry.name} usually listens on port ${usual.port}; the address says ${address.port}.`,
        copy: usual.base,
      });
    }
  }
  if (address.secure)
    steps.push({ text: 'Open the address in a tab: a warning there is about its certificate.' });
  const byHand = at.page === null ? 'Ask it by hand.' : 'A terminal says more than a browser does.';
  steps.push({ text: byHand, copy: curl(at) });
  return steps;
}

/** Chromium's own page for what a site may do; only a person can open it, no link may. */
function siteSettings(origin: string): string {
  return `chrome://settings/content/siteDetails?site=${encodeURIComponent(origin)}`;
}

function denied({ origin, page }: Situation): readonly NextStep[] {
  return [
    {
      text: 'Open the site’s settings with the icon at the left of the address bar, set Local network access to Allow, and load the page again.',
      ...(page?.chromium === true && origin !== null ? { copy: siteSettings(origin) } : {}),
    },
  ];
}

function unasked(why: 'framed' | 'insecure' | 'unanswered', at: Situation): readonly NextStep[] {
  switch (why) {
    case 'framed':
      return [
        { text: 'Open Pixelproof in a tab of its own.', ...copyOf(at.origin) },
        {
          text: 'Or let the page around it pass the permission on, in its frame.',
          copy: 'allow="local-network-access; loopback-network; local-network"',
        },
      ];
    case 'insecure':
      return [
        { text: 'Open the site by https.', ...copyOf(at.origin?.replace(/^http:/, 'https:') ?? null) },
        { text: 'Or open it from your own machine, in a clone of the repository.', copy: 'npm start' },
      ];
    case 'unanswered':
      return [{ text: 'Check again, and press Allow when the browser asks.' }, ...denied(at)];
  }
}

function corsRefused(at: Situation, product: Product | null): readonly NextStep[] {
  const terminal = { text: 'Or ask from a terminal, where no browser is in between.', copy: commandLine(at) };
  if (at.entry.runs === 'hosted') {
    return [{ ...terminal, text: 'This provider may not answer pages at all. Ask from a terminal.' }];
  }
  if (at.origin === null) return [terminal];
  if (at.origin === 'null') {
    return [
      { text: 'This page has no origin that a server could allow. Open it from a web address.' },
      terminal,
    ];
  }
  return [...letIn(product, at.origin, at.system), terminal];
}

function wrongPort(at: Situation, answers: Product | undefined): readonly NextStep[] {
  const { entry, baseUrl } = at;
  const same = entry.baseUrl !== null && shownAddress(baseUrl).replace(/\/+$/, '') === entry.baseUrl;
  return [
    ...(answers === undefined
      ? []
      : [{ text: `Choose ${answers} as the provider to ask what answers there.` }]),
    ...(same || entry.baseUrl === null
      ? [{ text: `Find out where ${entry.name} listens: it prints its address when it starts.` }]
      : [{ text: `${entry.name} usually listens here.`, copy: entry.baseUrl }]),
  ];
}

function stalled(product: Product | null): readonly NextStep[] {
  return [
    { text: 'The first question loads the model, which can take minutes. Check again once it is loaded.' },
    ...(product === 'Ollama' ? [{ text: 'See what it has loaded.', copy: 'ollama ps' }] : []),
    ...(product === 'LM Studio' ? [{ text: 'See what it has loaded.', copy: 'lms ps' }] : []),
  ];
}

function keyInTerminal({ entry, system }: Situation): readonly NextStep[] {
  const name = keyVariable(entry.id);
  const copy = system === 'windows' ? `$env:${name} = "…"` : `export ${name}="…"`;
  return [{ text: `Put the key into a variable and name it with --api-key-env ${name}.`, copy }];
}

function unauthorised(at: Situation, product: Product | null): readonly NextStep[] {
  const own: Partial<Record<Product, string>> = {
    'llama.cpp server': 'The key is what the server was started with, after --api-key.',
    vLLM: 'The key is what the server was started with, after --api-key or in VLLM_API_KEY.',
    'LM Studio': 'The key is a token from Developer, Server Settings, Require Authentication.',
    Ollama: 'Ollama itself wants no key: a proxy in front of it does. Ask whoever runs it.',
  };
  const hint = product === null ? undefined : own[product];
  const text =
    hint ?? 'Compare the key with the one in your account there; make a new one if it was revoked.';
  const then = { text: 'Put the key into its field, then check again.' };
  return [{ text }, ...(at.page === null ? keyInTerminal(at) : [then])];
}

function modelMissing(
  at: Situation,
  product: Product | null,
  installed: readonly string[] | undefined,
): readonly NextStep[] {
  const { model, system } = at;
  const near = installed?.find(
    (name) => name === `${model}:latest` || name.toLowerCase() === model.toLowerCase().trim(),
  );
  return [
    ...(near === undefined ? [] : [{ text: 'It lists this name, which is probably meant.', copy: near }]),
    ...takeModel(product, modelWord(model, system)),
    ...(installed === undefined || installed.length === 0 || near !== undefined
      ? [{ text: 'Compare the name with the list of whoever runs the server, letter by letter.' }]
      : listed(installed, 'Or name one of the models that it lists.')),
  ];
}

function noLogprobs(product: Product | null, { id }: CatalogueEntry): readonly NextStep[] {
  return [
    product === 'Ollama'
      ? { text: 'Update Ollama: it lists log-probabilities since version 0.12.11.', copy: 'ollama --version' }
      : {
          text: 'Update the server, or choose one that lists them: llama.cpp, vLLM, or Ollama since 0.12.11.',
        },
    ...(id === 'openai'
      ? [{ text: 'Or choose OpenAI-compatible, sampled: it draws answers instead, as a demonstration.' }]
      : []),
  ];
}

/** Lets Node accept a certificate authority of one's own. */
function trustLine(system: System): string {
  return system === 'windows' ? '$env:NODE_EXTRA_CA_CERTS = "ca.pem"' : 'export NODE_EXTRA_CA_CERTS=ca.pem';
}
