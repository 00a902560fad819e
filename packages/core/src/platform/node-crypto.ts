export type NodeCrypto = typeof import("node:crypto")

/**
 * Node's own cryptography; null elsewhere. WebCrypto stands on it there, but copies what it is given, for another thread to
 * work on: of a batch that takes longer than the cipher.
 */
export function nodeCrypto(): NodeCrypto | null {
  // Not imported, or bundlers for browsers would want to have it.
  const { process } = globalThis as { process?: { getBuiltinModule?: (name: string) => unknown } }
  const crypto = process?.getBuiltinModule?.("node:crypto") as NodeCrypto | undefined
  return crypto?.createCipheriv ? crypto : null
}
