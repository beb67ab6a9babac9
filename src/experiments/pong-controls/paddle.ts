import { fromBase64 } from '../../pixels/base64';

/** SHA-256 of the two cartridges that the experiment is played on, hex. */
export const CARTRIDGES = {
  pong: '41623e3c26148f96cbe77d56512845d224a63c8fe5bf90e38527155e39ec96d3',
  paddle: '69b9c604e6d12cb2f35af1e432033ce586b20e7c3589d601dbf6d50f344474e9',
} as const;
export type CartridgeName = keyof typeof CARTRIDGES;

/** The bytes of our own cartridge, which plays by Pong's rules. They travel as a module: no fetch, no path. */
export async function paddleRom(): Promise<Uint8Array<ArrayBuffer>> {
  const { default: url } = await import('../../../fixtures/cartridge/paddle.bin?url&inline');
  return fromBase64(url.slice(url.indexOf(',') + 1));
}
