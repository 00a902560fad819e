/** WebCrypto and compression compute on other threads. Virtual time stands still until all of it is done. */
export const computing = { operations: 0 }

const subtle = crypto.subtle as unknown as Record<string, (...args: unknown[]) => Promise<unknown>>
for (const name of ["sign", "verify", "encrypt", "decrypt", "digest", "importKey", "generateKey", "exportKey"]) {
  const original = subtle[name]!.bind(crypto.subtle)
  subtle[name] = (...args) => {
    computing.operations++
    return original(...args).finally(() => computing.operations--)
  }
}

for (const name of ["CompressionStream", "DecompressionStream"] as const) {
  const Original = globalThis[name]
  globalThis[name] = function (format: CompressionFormat) {
    const { writable, readable: output } = new Original(format)
    const counted = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>()
    computing.operations++
    const ended = output.pipeTo(counted.writable).finally(() => computing.operations--)
    // The reader gets the error of a malformed stream.
    ended.catch(() => undefined)
    return { writable, readable: counted.readable }
  } as unknown as typeof Original
}
