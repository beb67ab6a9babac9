// What the module offers; one noun a file. src/pixels is its typed face.
export { allocate, freeMemory } from './memory';
export { fillRect, copyRect, copyPixels, blitPalette, blendMask } from './compose';
export { encodePng, pngBound } from './png';
export { zlibFiltered, zlibBound } from './zlib';
export { crc32 } from './crc32';
export { adler32 } from './adler32';
export { thumbnail, configureThumbnail } from './thumbnail';
export { diffPixels } from './diff';
export { inflate, inflateConsumed, inflateWritten } from './inflate';
export { pngPass } from './png-rows';
export { measureRegions } from './signals';
export { blobsCounted, blobsListed, blobScratch, blobsTotal, labelBlobs } from './blobs';
export { jpegScan, jpegTable } from './jpeg-huffman';
export { jpegPlane } from './jpeg-idct';
export { jpegRgb } from './jpeg-colour';
export { vp8Decode, vp8Work } from './vp8';
export { vp8lDecode } from './vp8l';
