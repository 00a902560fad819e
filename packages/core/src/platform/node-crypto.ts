export type NodeCrypto = typeof import("node:crypto")

/**
 * Node's own cryptography; null elsewhere. Node's WebCrypto uses it too, but copies its input for another thread. For a
 * batch that takes longer than the cipher.
 */
export function nodeCrypto(): NodeCrypto | null {
  // Not imported, because bundlers for browsers would try to include it.
  const { process } = globalThis as { process?: { getBuiltinModule?: (name: string) => unknown } }
  const crypto = process?.getBuiltinModule?.("node:crypto") as NodeCrypto | undefined
  return crypto?.createCipheriv ? crypto : null
}
