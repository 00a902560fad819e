import type { DataCipher } from "@keymoot/core/engine"

export const aesCtrHmac: DataCipher & { readonly name: `own:${string}` }
