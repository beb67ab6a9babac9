// The rooms and who may import whom. A violation fails the build (docs/architecture.md explains each line).
const SRC = '^src/';
module.exports = {
  forbidden: [
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'nothing-imports-app',
      severity: 'error',
      from: { pathNot: `${SRC}(app|embed)/` },
      to: { path: `${SRC}app/` },
    },
    {
      name: 'only-doors-import-lab',
      severity: 'error',
      from: { path: SRC, pathNot: [`${SRC}(lab|app|embed)/`, '[.]test[.]ts$|/testing/'] },
      to: { path: `${SRC}lab/` },
    },
    {
      name: 'no-experiment-imports-another',
      severity: 'error',
      from: { path: `${SRC}experiments/([^/]+)/` },
      to: { path: `${SRC}experiments/`, pathNot: `${SRC}experiments/$1/` },
    },
    {
      name: 'experiments-see-interfaces-only',
      severity: 'error',
      from: { path: `${SRC}experiments/`, pathNot: '[.]test[.]ts$|/testing/' },
      to: {
        path: SRC,
        pathNot: [
          `${SRC}experiments/`,
          `${SRC}errors[.]ts$`,
          `${SRC}runner/(experiment|index)[.]ts$`,
          `${SRC}evidence/(identity|bundle|verify)/`,
          `${SRC}pixels/`,
          `${SRC}atari/`,
          `${SRC}numeric/`,
          `${SRC}providers/(provider[.]ts$|audit/)`,
        ],
      },
    },
    {
      name: 'providers-see-identity-only',
      severity: 'error',
      from: { path: `${SRC}providers/`, pathNot: '[.]test[.]ts$|/testing/' },
      to: { path: SRC, pathNot: [`${SRC}providers/`, `${SRC}errors[.]ts$`, `${SRC}evidence/identity/`] },
    },
    {
      name: 'runner-knows-no-experiment',
      severity: 'error',
      from: { path: `${SRC}runner/`, pathNot: '[.]test[.]ts$|/testing/' },
      to: {
        path: SRC,
        pathNot: [`${SRC}runner/`, `${SRC}errors[.]ts$`, `${SRC}evidence/`, `${SRC}providers/provider[.]ts$`],
      },
    },
    {
      name: 'pixels-and-atari-stand-on-wasm',
      severity: 'error',
      from: { path: `${SRC}(pixels|atari)/`, pathNot: '[.]test[.]ts$|/testing/' },
      to: {
        path: SRC,
        pathNot: [`${SRC}(pixels|atari|numeric)/`, `${SRC}errors[.]ts$`, `${SRC}evidence/identity/`],
      },
    },
    {
      name: 'leaves-import-nothing-of-ours',
      severity: 'error',
      from: { path: `${SRC}(numeric|evidence/identity)/`, pathNot: '[.]test[.]ts$|/testing/' },
      to: { path: SRC, pathNot: [`${SRC}numeric/`, `${SRC}evidence/identity/`, `${SRC}errors[.]ts$`] },
    },
    {
      name: 'svelte-only-in-app-and-embed',
      severity: 'error',
      from: { pathNot: `${SRC}(app|embed)/` },
      to: { path: 'node_modules/svelte|[.]svelte$' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.base.json' },
    enhancedResolveOptions: { extensions: ['.ts', '.js', '.svelte', '.json'] },
  },
};
