import type { HtmlTagDescriptor, Plugin } from 'vite';

/**
 * Names the shell's files in index.html. Its first script asks for them anyway, but a browser that reads of them in the
 * page itself need not wait for that script to say so.
 */
export function earlyShell(): Plugin {
  return {
    name: 'pixelproof-early-shell',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle, filename }) {
        if (bundle === undefined || !filename.endsWith('index.html')) return [];
        const chunks = Object.values(bundle).flatMap((file) => (file.type === 'chunk' ? [file] : []));
        const shell = chunks.find(({ name }) => name === 'shell');
        if (shell === undefined) throw new Error('The build has no chunk called shell: see vite.config.ts.');
        const scripts = [shell, ...chunks.filter(({ fileName }) => shell.imports.includes(fileName))].filter(
          ({ fileName }) => !html.includes(fileName),
        );
        const link = (rel: string, file: string): HtmlTagDescriptor => ({
          tag: 'link',
          attrs: { rel, crossorigin: true, href: `./${file}` },
          injectTo: 'head',
        });
        return [
          ...scripts.map(({ fileName }) => link('modulepreload', fileName)),
          ...[...(shell.viteMetadata?.importedCss ?? [])].map((file) => link('stylesheet', file)),
        ];
      },
    },
  };
}
