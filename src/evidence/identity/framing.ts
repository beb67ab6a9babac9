/**
 * The length-prefixed binary framing under ZeroModel's core artifact identities.
 *
 *     LP(label, data) = u32be(len(label)) || label || u64be(len(data)) || data
 *     M(matrix)       = u64be(rows) || u64be(columns) || row-major float64 big-endian
 */
const utf8 = new TextEncoder();

/** LP(label, data). A string is framed as UTF-8. */
export function labelled(label: string, data: Uint8Array | string): Uint8Array<ArrayBuffer> {
  const name = utf8.encode(label);
  const body = typeof data === 'string' ? utf8.encode(data) : data;
  const out = new Uint8Array(4 + name.length + 8 + body.length);
  const view = new DataView(out.buffer);
  view.setUint32(0, name.length);
  out.set(name, 4);
  view.setBigUint64(4 + name.length, BigInt(body.length));
  out.set(body, 12 + name.length);
  return out;
}

/** M(matrix). Every row has as many entries as the first. */
export function framedMatrix(rows: readonly (readonly number[])[]): Uint8Array<ArrayBuffer> {
  const columns = rows[0]?.length ?? 0;
  const out = new Uint8Array(16 + rows.length * columns * 8);
  const view = new DataView(out.buffer);
  view.setBigUint64(0, BigInt(rows.length));
  view.setBigUint64(8, BigInt(columns));
  let at = 16;
  for (const row of rows) {
    for (const value of row) {
      view.setFloat64(at, value);
      at += 8;
    }
  }
  return out;
}

export function joinBytes(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}
