type FromBase64 = { fromBase64?: (text: string) => Uint8Array<ArrayBuffer> };
type Packed = [at: number, length: number, width: 1 | 2 | 4, steps: 0 | 1];

/** Bytes of base64. The new built-in is several times faster than atob; older browsers get the loop. */
export function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  const quick = (Uint8Array as unknown as FromBase64).fromBase64;
  if (quick) return quick.call(Uint8Array, text);
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

/** What was compressed, to be read. */
export const inflate = (data: Uint8Array<ArrayBuffer>): Response =>
  new Response(new Blob([data]).stream().pipeThrough(new DecompressionStream("gzip")));

/** The payload out of gzip: four bytes of length, JSON, then the columns of whole numbers that it refers to. */
export async function decode<P>(data: Uint8Array<ArrayBuffer>): Promise<P> {
  const bytes = await inflate(data).arrayBuffer();
  const length = new DataView(bytes).getUint32(0, true);
  const found: unknown = JSON.parse(new TextDecoder().decode(new Uint8Array(bytes, 4, length)));
  return columns(found, bytes, 4 + length) as P;
}

const KINDS = { 1: Int8Array, 2: Int16Array, 4: Int32Array };

/** Put every column in its place. They stand in objects, never in lists, so lists need no look. */
export function columns(found: unknown, bytes: ArrayBuffer, start: number): unknown {
  if (typeof found !== "object" || found === null || Array.isArray(found)) return found;
  const own = found as Record<string, unknown>;
  if (own.$) {
    const [at, length, width, steps] = own.$ as Packed;
    const out = Int32Array.from(new KINDS[width](bytes.slice(start + at, start + at + length * width)));
    if (steps) for (let i = 1; i < length; i++) out[i] += out[i - 1];
    return out;
  }
  for (const key in own) own[key] = columns(own[key], bytes, start);
  return own;
}
