/** `\0asm`, version 1: the shortest module there is. */
const EMPTY_MODULE = Uint8Array.of(0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00)

/** The globals of the host that are used here; this package is compiled for hosts that may have none. */
type Host = { readonly WebAssembly?: { readonly Module: new (bytes: Uint8Array) => unknown } }

/**
 * Whether WebAssembly may be compiled here: not where the host has none, nor under a content security policy without
 * `wasm-unsafe-eval`. Asked before libsodium is loaded, which does not survive a refusal.
 */
export function isWebAssemblyAllowed(): boolean {
  const { WebAssembly } = globalThis as Host
  if (!WebAssembly) return false
  try {
    return Boolean(new WebAssembly.Module(EMPTY_MODULE))
  } catch {
    return false
  }
}
