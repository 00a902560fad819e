/** WebCrypto computes on other threads. Virtual time stands still until all of it is done. */
export const computing = { operations: 0 }

const subtle = crypto.subtle as unknown as Record<string, (...args: unknown[]) => Promise<unknown>>
for (const name of ["sign", "verify", "encrypt", "decrypt", "digest", "importKey", "generateKey", "exportKey"]) {
  const original = subtle[name]!.bind(crypto.subtle)
  subtle[name] = (...args) => {
    computing.operations++
    return original(...args).finally(() => computing.operations--)
  }
}
