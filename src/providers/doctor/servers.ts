import type { NextStep } from './diagnosis';
import type { Product } from './dialects';
import type { System } from './environment';

// What each server's own documentation says about starting it, letting a page in, fetching a model and reading its log.

/** How a server is started; null for one that is not known. `model` is quoted for a shell, or empty. */
export function startLine(
  product: Product | null,
  { model, port, system }: { readonly model: string; readonly port: number; readonly system: System },
): NextStep | null {
  switch (product) {
    case 'Ollama':
      return system === 'linux'
        ? {
            text: 'Start Ollama; without its service type ollama serve.',
            copy: 'sudo systemctl start ollama',
          }
        : { text: 'Start the Ollama app, or type this.', copy: 'ollama serve' };
    case 'llama.cpp server':
      return {
        text: 'Start the server with a model and its projector, which is what takes the pictures.',
        copy: `llama-server -m model.gguf --mmproj mmproj.gguf --alias ${model || 'model'} --port ${port}`,
      };
    case 'LM Studio':
      return { text: 'Start the server, and let pages in.', copy: `lms server start --port ${port} --cors` };
    case 'vLLM':
      return { text: 'Start the server.', copy: `vllm serve ${model || 'MODEL'} --port ${port}` };
    case null:
      return null;
  }
}

/** How a server lets pages of an origin in. */
export function letIn(product: Product | null, origin: string, system: System): readonly NextStep[] {
  switch (product) {
    case 'Ollama':
      return ollamaOrigins(origin, system);
    case 'llama.cpp server':
      return [
        {
          text: 'It lets every page in unless it was started with --cors-origins or with tools. Start it again with this option.',
          copy: `--cors-origins "${origin}"`,
        },
      ];
    case 'LM Studio':
      return [
        {
          text: 'Switch on Enable CORS in Developer, Server Settings; or stop the server and type this.',
          copy: 'lms server start --cors',
        },
      ];
    case 'vLLM':
      return [
        {
          text: 'It lets every page in unless it was started with --allowed-origins. Start it again with this option.',
          copy:
            system === 'windows'
              ? `--allowed-origins "[\\"${origin}\\"]"`
              : `--allowed-origins '["${origin}"]'`,
        },
      ];
    case null:
      return [
        {
          text: 'Let the server, or a proxy in front of it, answer this page’s origin with this header, also to OPTIONS.',
          copy: `Access-Control-Allow-Origin: ${origin}`,
        },
      ];
  }
}

function ollamaOrigins(origin: string, system: System): readonly NextStep[] {
  switch (system) {
    case 'macos':
      return [
        { text: 'Tell Ollama to let this page in.', copy: `launchctl setenv OLLAMA_ORIGINS "${origin}"` },
        { text: 'Quit Ollama in the menu bar and start it again.' },
      ];
    case 'windows':
      return [
        { text: 'Tell Ollama to let this page in.', copy: `setx OLLAMA_ORIGINS "${origin}"` },
        { text: 'Quit Ollama in the task bar and start it again from the Start menu.' },
      ];
    case 'linux':
      return [
        { text: 'Open the settings of Ollama’s service.', copy: 'sudo systemctl edit ollama.service' },
        { text: 'Add these lines and save.', copy: `[Service]\nEnvironment="OLLAMA_ORIGINS=${origin}"` },
        { text: 'Start it again.', copy: 'sudo systemctl daemon-reload && sudo systemctl restart ollama' },
        { text: 'Without the service, start it like this.', copy: `OLLAMA_ORIGINS="${origin}" ollama serve` },
      ];
  }
}

/** How a model comes to a server. `model` is quoted for a shell. */
export function takeModel(product: Product | null, model: string): readonly NextStep[] {
  switch (product) {
    case 'Ollama':
      return [{ text: 'Fetch the model.', copy: `ollama pull ${model}` }];
    case 'LM Studio':
      return [{ text: 'Fetch the model, then load it.', copy: `lms get ${model}` }];
    case 'llama.cpp server':
      return [
        {
          text: 'It has the model that it was started with; give it this name there.',
          copy: `--alias ${model}`,
        },
      ];
    case 'vLLM':
      return [
        {
          text: 'It has the model that it was started with. Start it with this one.',
          copy: `vllm serve ${model}`,
        },
      ];
    case null:
      return [];
  }
}

/** How to come to a model that takes pictures. `model` is quoted for a shell. */
export function wherePicturesAre(product: Product | null, model: string): readonly NextStep[] {
  switch (product) {
    case 'Ollama':
      return [
        {
          text: 'Choose a model whose description lists vision. This shows it.',
          copy: `ollama show ${model}`,
        },
        { text: 'One that takes pictures, of 3.3 GB.', copy: 'ollama pull gemma3:4b' },
      ];
    case 'llama.cpp server':
      return [
        {
          text: 'Start the server with the projector that belongs to the model.',
          copy: '--mmproj mmproj.gguf',
        },
      ];
    case 'LM Studio':
      return [{ text: 'Choose a model with the eye as its mark. This lists all.', copy: 'lms ls' }];
    default:
      return [{ text: 'Choose a model that its maker calls multimodal, or vision-language.' }];
  }
}

/** The line that shows a server's log; null where that depends on how it was started. */
export function whereTheLogIs(product: Product | null, system: System): string | null {
  if (product !== 'Ollama') return product === 'LM Studio' ? 'lms log stream' : null;
  switch (system) {
    case 'macos':
      return 'cat ~/.ollama/logs/server.log';
    case 'windows':
      return 'explorer %LOCALAPPDATA%\\Ollama';
    case 'linux':
      return 'journalctl -u ollama --no-pager -n 50';
  }
}
